//! A log of clauses: every clause ever added to a formula, in order, in one flat buffer.
//!
//! The log has three uses. It is the *buffer*: clauses wait in it until the next query, since
//! adding them one by one costs varisat a pass over the formula for each clause that contains a
//! fixed variable. It is the *backup*: a solver that was interrupted or broke down is rebuilt from
//! it. And it is the formula that proofs refute.
//!
//! **Absent.** No simplification, no removal: clause `i` stays clause `i`.

use rustsat::types::Lit;

/// Clauses in the order in which they were added.
#[derive(Clone, Default, Debug)]
pub struct Clauses {
    literals: Vec<Lit>,
    /// Where each clause ends in `literals`; it starts where the previous one ends.
    ends: Vec<usize>,
    variables: usize,
}

impl Clauses {
    /// Appends a clause. The empty clause is allowed; it is unsatisfiable.
    pub fn push(&mut self, clause: &[Lit]) {
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
        let highest = clause.iter().map(|lit| lit.vidx() + 1).max();
        self.variables = self.variables.max(highest.unwrap_or(0));
    }

    /// The number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One more than the largest variable index in a clause; 0 if there is none.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// The number of literals in all clauses together.
    pub fn literals(&self) -> usize {
        self.literals.len()
    }

    /// The clauses, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &[Lit]> {
        self.since(0)
    }

    /// The clauses after the first `skip`, oldest first. `skip` is at most [`Clauses::len`].
    pub fn since(&self, skip: usize) -> impl Iterator<Item = &[Lit]> {
        let mut start = if skip == 0 { 0 } else { self.ends[skip - 1] };
        self.ends[skip..].iter().map(move |&end| {
            let clause = &self.literals[start..end];
            start = end;
            clause
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_returned_as_they_were_added() {
        let (a, b) = (Lit::positive(0), Lit::negative(4));
        let given: [&[Lit]; 4] = [&[a, b], &[], &[b], &[a, a]];
        let mut log = Clauses::default();
        for clause in given {
            log.push(clause);
        }
        assert_eq!(log.iter().collect::<Vec<_>>(), given);
        assert_eq!(log.since(2).collect::<Vec<_>>(), &given[2..]);
        assert_eq!(log.since(4).count(), 0);
        assert_eq!((log.len(), log.literals(), log.variables()), (4, 5, 5));
    }
}
