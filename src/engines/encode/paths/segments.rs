//! Which copies are before which on some path.
//!
//! Copies form *segments*: a copy with one predecessor, which has no other successor, continues the
//! segment of its predecessor. Paths enter a segment at its start and leave it at its end, so only
//! segments need a closure. Straight-line code is one segment, however long it is.

/// The segments of a thread's copies, and the transitive closure of the order of the segments.
#[derive(Debug, Default)]
pub(super) struct Segments {
    /// For each copy, its segment and its position there.
    of: Vec<(usize, usize)>,
    /// Row `s`, bit `n`: segment `n` is before segment `s` on some path.
    before: Vec<Vec<u64>>,
}

impl Segments {
    /// The segments of copies with these predecessors. `order` lists the copies in an order in
    /// which each comes after its predecessors.
    pub(super) fn new(predecessors: &[Vec<usize>], order: &[usize]) -> Self {
        let mut successors = vec![0_u32; predecessors.len()];
        let distinct = predecessors.iter().map(|predecessors| {
            let mut distinct = predecessors.clone();
            distinct.sort_unstable();
            distinct.dedup();
            distinct
        });
        let distinct: Vec<Vec<usize>> = distinct.collect();
        for &predecessor in distinct.iter().flatten() {
            successors[predecessor] += 1;
        }
        let mut of = vec![(0, 0); predecessors.len()];
        // For each segment, the segments whose last copy leads to its first one.
        let mut entered_from: Vec<Vec<usize>> = Vec::new();
        for &copy in order {
            of[copy] = match distinct[copy][..] {
                [only] if successors[only] == 1 => (of[only].0, of[only].1 + 1),
                _ => {
                    let from = distinct[copy].iter().map(|&from| of[from].0);
                    entered_from.push(from.collect());
                    (entered_from.len() - 1, 0)
                }
            };
        }
        let words = entered_from.len().div_ceil(64);
        let mut before: Vec<Vec<u64>> = Vec::with_capacity(entered_from.len());
        for from in entered_from {
            let mut row = vec![0_u64; words];
            for segment in from {
                row[segment / 64] |= 1 << (segment % 64);
                for (word, other) in row.iter_mut().zip(&before[segment]) {
                    *word |= other;
                }
            }
            before.push(row);
        }
        Self { of, before }
    }

    /// Whether copy `a` is copy `b` or is before it on some path.
    pub(super) fn reaches(&self, a: usize, b: usize) -> bool {
        if a == b {
            return true;
        }
        let (Some(&(first, from)), Some(&(second, to))) = (self.of.get(a), self.of.get(b)) else {
            return false;
        };
        if first == second {
            from < to
        } else {
            self.before[second][first / 64] >> (first % 64) & 1 == 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_copy_reaches_those_that_a_search_finds(
            edges in prop::collection::vec((0_usize..9, 0_usize..9), 0..16),
            labels in Just((0..9).collect::<Vec<usize>>()).prop_shuffle(),
        ) {
            // The labels are an order of the copies, and edges go forward in it.
            let mut predecessors = vec![Vec::new(); 9];
            for (a, b) in edges.into_iter().filter(|(a, b)| a != b) {
                predecessors[labels[a.max(b)]].push(labels[a.min(b)]);
            }
            let segments = Segments::new(&predecessors, &labels);
            for b in 0..9 {
                let mut found = vec![b];
                let mut next = 0;
                while let Some(&at) = found.get(next) {
                    for &from in &predecessors[at] {
                        if !found.contains(&from) {
                            found.push(from);
                        }
                    }
                    next += 1;
                }
                for a in 0..9 {
                    prop_assert_eq!(segments.reaches(a, b), found.contains(&a), "{} to {}", a, b);
                }
            }
        }
    }

    #[test]
    fn straight_line_code_is_one_segment() {
        let predecessors: Vec<Vec<usize>> = (0..1000_usize)
            .map(|copy| copy.checked_sub(1).into_iter().collect())
            .collect();
        let order: Vec<usize> = (0..1000).collect();
        let segments = Segments::new(&predecessors, &order);
        assert_eq!(segments.before.len(), 1);
        assert!(segments.reaches(3, 999) && !segments.reaches(999, 3));
    }
}
