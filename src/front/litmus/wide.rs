//! 64-bit arithmetic on 32-bit cells: when it is exact.
//!
//! Each step at most doubles the greatest value so far, and without a loop each step is executed
//! once. As long as the greatest constant, doubled once per step, fits in 32 bits, no value
//! overflows.

use crate::text::{Diagnostic, Span};

/// Reports steps whose result may overflow 32 bits; each comes with whether it may be repeated.
/// `most` is the greatest constant of the test without its sign.
pub(super) fn check(wide: &[(Span, bool)], most: u64, diagnostics: &mut Vec<Diagnostic>) {
    let fits = u32::try_from(wide.len())
        .ok()
        .and_then(|steps| 1u64.checked_shl(steps))
        .and_then(|times| times.checked_mul(most))
        .is_some_and(|most| i32::try_from(most).is_ok());
    for (span, repeated) in wide {
        if *repeated || !fits {
            diagnostics.push(
                Diagnostic::error("64-bit arithmetic that may overflow 32 bits", span.clone())
                    .label(if *repeated {
                        "repeated in a loop"
                    } else {
                        "here"
                    })
                    .note("values are 32 bits wide here, so the result could differ"),
            );
        }
    }
}
