//! The search for the largest size at which something succeeds: doubles the size until it fails, then
//! halves the gap a few times.
//!
//! **Incomplete:** a larger size may succeed nevertheless, where cost does not grow with the size.

/// Larger sizes are not tried: the texts of members contain twice the size, and values have 32 bits.
const LARGEST: u32 = 1 << 30;

/// The result of a search.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Largest<T, F> {
    /// The largest size that succeeded, and its result.
    pub(crate) answered: Option<(u32, T)>,
    /// The smallest size that failed, and why.
    pub(crate) failed: Option<(u32, F)>,
}

/// Searches from the smallest size upwards, and halves the gap between a success and a failure up to
/// `most_halvings` times. A defect is a failure that ends the search at once.
///
/// # Errors
///
/// If a trial has an error.
pub(crate) fn largest<T, F, E>(
    smallest: u32,
    most_halvings: u32,
    is_defect: fn(&F) -> bool,
    mut trial: impl FnMut(u32) -> Result<Result<T, F>, E>,
) -> Result<Largest<T, F>, E> {
    let mut found = Largest {
        answered: None,
        failed: None,
    };
    let mut halvings = 0;
    let mut next = Some(smallest);
    while let Some(n) = next {
        match trial(n)? {
            Ok(result) => found.answered = Some((n, result)),
            Err(failure) => {
                let ends = is_defect(&failure);
                found.failed = Some((n, failure));
                if ends {
                    break;
                }
            }
        }
        let good = found.answered.as_ref().map(|&(n, _)| n);
        let bad = found.failed.as_ref().map(|&(n, _)| n);
        next = match (good, bad) {
            (Some(good), None) => (good <= LARGEST / 2).then_some(2 * good),
            (Some(good), Some(bad)) if bad - good > 1 && halvings < most_halvings => {
                halvings += 1;
                Some(good + (bad - good) / 2)
            }
            (_, _) => None,
        };
    }
    Ok(found)
}
