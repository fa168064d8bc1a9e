//! What is certain wherever a thread is: the locks that it holds, whose release needs no check, and which
//! threads run.
//!
//! The thread is followed along all paths, from no lock; where paths meet, it holds what it holds on all
//! of them. Only locks at addresses that are known are followed. One at an unknown address may be any
//! when it is released. Atomic sections are a lock at address 0.

use super::code::{Code, Holds};
use crate::facts::{Flow, Lattice};
use crate::program::{Context, Op, Ordering};

/// The lock of atomic sections.
const SECTIONS: (i64, bool) = (0, true);

/// Removes the checks that cannot fail.
pub(super) fn drop_checks(code: &mut Code, contexts: &[Option<Context>]) {
    for instr in &mut code.instructions {
        let context = contexts[instr.from].as_ref();
        if let (Some(lock), Some(context)) = (instr.checks, context)
            && context.locks.iter().any(|&(held, _)| held == lock)
        {
            instr.op = Op::Skip;
            instr.ordering = Ordering::Relaxed;
        }
    }
}

/// What is certain at each location; `None` where control never gets.
pub(super) fn contexts(code: &Code) -> Vec<Option<Context>> {
    let start = code.entered(Certain(Context::default()));
    let certain = Flow::forward(code).solve(start, |_, instr, before| {
        let Certain(mut after) = before.clone()?;
        if instr.op == Op::AtomicBegin && instr.ordering.acquires() {
            after.locks.insert(SECTIONS);
        } else if instr.op == Op::AtomicEnd {
            after.locks.remove(&SECTIONS);
        }
        match instr.holds {
            Some(Holds::Takes(lock, alone)) => {
                after.locks.insert((lock, alone));
            }
            Some(Holds::Releases(Some(lock))) => after.locks.retain(|&(held, _)| held != lock),
            Some(Holds::Releases(None)) => after.locks.retain(|held| *held == SECTIONS),
            Some(Holds::Creates(thread)) => {
                after.created.insert(thread);
            }
            Some(Holds::Joins(thread)) => {
                after.joined.insert(thread);
            }
            None => {}
        }
        Some(Certain(after))
    });
    let contexts = certain.into_iter();
    contexts.map(|certain| Some(certain?.0)).collect()
}

/// What is certain whichever way control came: less, the more ways there are.
#[derive(Clone)]
struct Certain(Context);

impl Lattice for Certain {
    fn join(&mut self, Certain(other): Self) -> bool {
        let own = &mut self.0;
        let certain = own.locks.len() + own.joined.len();
        own.locks.retain(|lock| other.locks.contains(lock));
        own.joined.retain(|thread| other.joined.contains(thread));
        let grows = own.created.join(other.created);
        grows || own.locks.len() + own.joined.len() < certain
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::Loc;
    use super::*;
    use crate::program::Origin;
    use std::collections::BTreeSet;

    /// A thread of these edges, which do this to locks.
    fn thread(edges: &[(Loc, Loc, Option<Holds>)]) -> Code {
        let origin = Origin::default();
        let mut code = Code::new(String::new(), origin);
        let last = edges.iter().map(|(from, to, _)| *from.max(to)).max();
        for _ in 0..last.unwrap_or_default() {
            code.location(origin);
        }
        for &(from, to, holds) in edges {
            code.edge(from, Op::Skip, to, origin);
            if let Some(last) = code.last() {
                last.holds = holds;
            }
        }
        code
    }

    fn at(edges: &[(Loc, Loc, Option<Holds>)], at: Loc) -> Context {
        let contexts = contexts(&thread(edges));
        contexts[at].clone().expect("control gets there")
    }

    fn locks(edges: &[(Loc, Loc, Option<Holds>)], loc: Loc) -> Vec<(i64, bool)> {
        at(edges, loc).locks.into_iter().collect()
    }

    const A: Option<Holds> = Some(Holds::Takes(7, true));
    const B: Option<Holds> = Some(Holds::Takes(8, false));
    const FREE_A: Option<Holds> = Some(Holds::Releases(Some(7)));
    const FREE_ANY: Option<Holds> = Some(Holds::Releases(None));

    #[test]
    fn a_lock_is_held_until_it_may_have_been_released() {
        let both = [(0, 1, A), (1, 2, B), (2, 3, FREE_A), (3, 4, None)];
        assert_eq!(locks(&both, 2), [(7, true), (8, false)]);
        assert_eq!(locks(&both, 4), [(8, false)]);
        let any = [(0, 1, A), (1, 2, B), (2, 3, FREE_ANY)];
        assert_eq!(locks(&any, 3), []);
    }

    #[test]
    fn where_paths_meet_a_lock_is_held_that_all_of_them_hold() {
        let edges = [(0, 1, A), (1, 2, B), (1, 2, None), (2, 3, None)];
        assert_eq!(locks(&edges, 3), [(7, true)]);
        // A loop that releases what was taken before it.
        let edges = [(0, 1, A), (1, 2, None), (2, 1, FREE_A), (1, 3, None)];
        assert_eq!(locks(&edges, 3), []);
        assert_eq!(locks(&edges, 2), []);
    }

    #[test]
    fn a_thread_is_joined_on_all_paths_and_created_on_any() {
        let (created, joined) = (Some(Holds::Creates(1)), Some(Holds::Joins(1)));
        let one = BTreeSet::from([1]);
        let straight = [(0, 1, created), (1, 2, joined)];
        assert_eq!(at(&straight, 1).created, one);
        assert_eq!(at(&straight, 1).joined, BTreeSet::new());
        assert_eq!(at(&straight, 2).joined, one);
        let branch = [(0, 1, created), (0, 1, None)];
        assert_eq!(at(&branch, 1).created, one);
        let branch = [(0, 1, joined), (0, 1, None)];
        assert_eq!(at(&branch, 1).joined, BTreeSet::new());
    }

    #[test]
    fn an_atomic_section_is_a_lock_that_no_release_of_another_ends() {
        let edges = [(0, 1, None), (1, 2, FREE_ANY), (2, 3, None)];
        let mut code = thread(&edges);
        code.instructions[0].op = Op::AtomicBegin;
        code.instructions[0].ordering = Ordering::AcqRel;
        code.instructions[2].op = Op::AtomicEnd;
        let contexts = contexts(&code);
        let section = BTreeSet::from([SECTIONS]);
        let locks = |at: Loc| contexts[at].clone().map(|context| context.locks);
        assert_eq!(locks(1), Some(section.clone()));
        assert_eq!(locks(2), Some(section));
        assert_eq!(locks(3), Some(BTreeSet::new()));
        // Where both ends are no synchronisation, it protects nothing.
        code.instructions[0].ordering = Ordering::Relaxed;
        let contexts = super::contexts(&code);
        assert_eq!(contexts[1], Some(Context::default()));
    }

    #[test]
    fn a_check_is_dropped_if_that_lock_is_held() {
        let mut code = thread(&[(0, 1, A), (1, 2, None), (2, 3, None)]);
        for (index, lock) in [(1, 7), (2, 8)] {
            code.instructions[index].op = Op::Assert(crate::program::Expr::Const(0));
            code.instructions[index].checks = Some(lock);
        }
        let known = contexts(&code);
        drop_checks(&mut code, &known);
        assert_eq!(code.instructions[1].op, Op::Skip);
        assert!(matches!(code.instructions[2].op, Op::Assert(_)));
    }
}
