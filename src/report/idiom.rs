//! What the report says about fences in the words of the text.

use super::Source;
use crate::formats::Format;
use crate::program::{FenceKind, Origin};

/// What a fence of this kind is called.
pub(super) fn noun(kind: FenceKind) -> &'static str {
    match kind {
        FenceKind::Full => "a fence",
        FenceKind::Store => "a store fence",
        FenceKind::Exchange => "an exchange",
    }
}

/// The C11 fences of a text that order no store before a later load, each as it is written and with its
/// line: on x86 they are no instruction.
pub(super) fn free_fences(source: &Source<'_>) -> Vec<(String, u32)> {
    let name = match source.format {
        Format::C | Format::LitmusC => "atomic_thread_fence(",
        Format::Rust => "fence(",
        Format::Fence | Format::Litmus | Format::Trencher => return Vec::new(),
    };
    let mut found = Vec::new();
    let mut start = 0;
    for (number, line) in source.text.split_inclusive('\n').enumerate() {
        let origin = Origin {
            start: start as u32,
            ..Origin::default()
        };
        start += line.len();
        // The lines of other files have other numbers.
        if source.program.file(origin).is_some() {
            continue;
        }
        let code = line.split("//").next().unwrap_or_default();
        let Some((before, call)) = code.split_once(name) else {
            continue;
        };
        let argument = call.split(')').next().unwrap_or_default().trim();
        let order = argument.to_ascii_lowercase();
        let is_free = ["acquire", "release", "acq_rel", "acqrel", "consume"]
            .iter()
            .any(|weak| order.ends_with(weak));
        // `compiler_fence` is no fence of the machine in any order.
        if is_free && !before.ends_with("compiler_") {
            let prefix = if before.ends_with("__") { "__" } else { "" };
            found.push((format!("{prefix}{name}{argument})"), number as u32 + 1));
        }
    }
    found
}
