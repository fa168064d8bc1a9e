//! Grace periods of RCU: waiting until the read sections that run have ended.
//!
//! `rcu_read_lock` is no instruction on x86, so what a reader does there must delay no load and wait for no store. It
//! cannot announce the section by a store, which would come late, nor by a locked instruction, which would empty the
//! buffer. Instead, it has said beforehand *when* the section will begin, and checks that at its beginning by a load:
//!
//! ```text
//! P        the number of grace periods that have begun; at first 0
//! S[r]     of each reader r: how many grace periods will have begun when its next section does, or the one that it is
//!          in did; at first, before r starts, the number of all grace periods in the program
//!
//! start of r          n := any number; S[r] := n, locked: nothing is buffered yet
//! rcu_read_lock()     assume P = n                       (load)
//! rcu_read_unlock()   n := any number; S[r] := n         (store after all earlier ones)
//! synchronize_rcu()   e := P; P := e + 1, locked; for each reader r: assume S[r] > e     (loads)
//! ```
//!
//! *No more than in Linux.* Let grace period `e` pass reader `r`, and a section of `r` begin before `e` did. That section
//! found at most `e` in `P`, so its number is at most `e`. The numbers of later sections are not less, and `S[r] > e` is
//! the number of a later one: the store that ends this section is in memory, and all earlier ones of the thread are.
//! *No less.* Take an execution of Linux, and for each number what `P` will be then; for a section that does not begin,
//! that of all grace periods. Then all assumptions hold, and `e` passes `r` as soon as the stores of the sections of `r`
//! that began before it are in memory. Since it also passes later, the order in which it looks at readers makes no
//! difference, and grace periods may overlap.
//!
//! A number that turns out to be wrong only stops the reader before its section begins, and grace periods that wait for
//! that: what the program did before is an execution of Linux.
//!
//! **Absent.** Grace periods in loops whose number of iterations is not known: there is a number for each. Waiting forever
//! as a property: a thread may wait only because of a wrong number. **Incomplete:** what the model adds counts as accesses
//! when robustness is decided, so a program may not be called robust only because of them.

use super::Lowering;
use super::code::{Code, Instr, Loc, Single};
use super::objects::Storage;
use super::value::{binary, c, int};
use crate::facts::{Flow, Lattice};
use crate::program::{BinaryOp, Expr, Fence, FetchOp, Op, Ordering, RegId, Update};
use crate::text::{Diagnostic, Place};

/// What a thread does about read sections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Section {
    /// `rcu_read_lock`
    Begins,
    /// `rcu_read_unlock`
    Ends,
    /// `synchronize_rcu`
    Awaited,
}

/// Where a thread does something about read sections: a step that is replaced when all threads are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    instr: usize,
    section: Section,
    place: Place,
}

/// What is known of the depth of sections at a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Depth {
    Known(u32),
    /// It depends on the path.
    Varies,
}

impl Lattice for Depth {
    fn join(&mut self, other: Self) -> bool {
        let grows = *self != Depth::Varies && *self != other;
        if grows {
            *self = Depth::Varies;
        }
        grows
    }
}

/// An instruction to be, and its order.
type Step = (Op, Ordering);

impl Lowering<'_> {
    /// Where a thread begins after what its read sections need at the beginning.
    pub(super) fn before_sections(&mut self) -> Loc {
        let origin = self.code.origin;
        self.code.step(0, Op::Skip, origin)
    }

    pub(super) fn mark_section(&mut self, section: Section, place: Place) {
        if self.state.is_none() {
            return;
        }
        if section == Section::Awaited {
            self.now.periods.insert(place);
            self.refuse_in_copies("read sections to wait for", place);
            if self.options.forbid_stuck {
                self.report(
                    Diagnostic::error(
                        "whether a thread waits forever is not decided with grace periods of RCU",
                        self.positions.span(place),
                    )
                    .note("check without `forbid stuck`"),
                );
            }
            self.once_only(Single::GracePeriod, place);
            self.emit(Op::Fence(Fence::Full), place);
        } else if !self.learned.periods.is_empty() {
            self.refuse_in_copies("read sections that are waited for", place);
            self.emit(Op::Skip, place);
        } else {
            return;
        }
        let instr = self.code.instructions.len() - 1;
        let mark = Mark {
            instr,
            section,
            place,
        };
        self.code.sections.push(mark);
    }

    pub(super) fn refuse_periods(&mut self, place: Place) {
        self.report(
            Diagnostic::error(
                "a grace period of RCU is in a loop whose number of iterations is not known",
                self.positions.span(place),
            )
            .note("bound the loop by a constant"),
        );
    }

    /// Replaces the marks of all threads, which are complete otherwise.
    pub(super) fn make_sections<'c>(&mut self, threads: impl Iterator<Item = &'c mut Code>) {
        let mut threads: Vec<&mut Code> = threads.collect();
        let marks = threads.iter().flat_map(|code| &code.sections);
        let periods = marks
            .filter(|mark| mark.section == Section::Awaited)
            .count() as i32;
        if periods == 0 {
            return;
        }
        let begun = self.place("rcu.periods", &int(), Storage::Hidden);
        let mut readers = Vec::new();
        for code in &mut threads {
            let reads = |mark: &Mark| mark.section != Section::Awaited;
            if !code.sections.iter().any(reads) {
                continue;
            }
            let next = self.place(&format!("{}.section", code.name), &int(), Storage::Hidden);
            self.memory.set_initial(next, periods);
            readers.push(next);
            self.make_reader(code, periods, (begun as i32, next as i32));
        }
        for code in threads {
            for mark in std::mem::take(&mut code.sections) {
                if mark.section == Section::Awaited {
                    make_period(code, mark.instr, begun as i32, &readers);
                }
            }
        }
    }

    fn make_reader(&mut self, code: &mut Code, periods: i32, (begun, next): (i32, i32)) {
        let marks = code.sections.clone();
        let depths = depths(code, &marks);
        let number = code.register("$next");
        let any = || Op::Havoc {
            into: number,
            low: 0,
            high: periods,
        };
        let before = code.register("$t");
        let first = Op::Rmw {
            into: before,
            addr: c(next),
            update: Update::Exchange(Expr::Var(number)),
        };
        // The first instruction is the one that was kept for this.
        replace(
            code,
            0,
            [(any(), Ordering::Relaxed), (first, Ordering::Relaxed)],
        );
        for mark in marks {
            // Where control never gets, nothing is wrong.
            let Some(depth) = depths[code.instructions[mark.instr].from] else {
                continue;
            };
            if let (Section::Awaited, Depth::Known(1..)) = (mark.section, depth) {
                self.refuse_waiting_for_itself(mark.place);
            }
            let (is_outermost, is_right) = match (mark.section, depth) {
                (Section::Awaited, _) => continue,
                (Section::Begins, Depth::Known(depth)) => (depth == 0, true),
                (Section::Ends, Depth::Known(depth)) => (depth == 1, depth > 0),
                (_, Depth::Varies) => (false, false),
            };
            if !is_right {
                self.refuse_section(mark, depth);
            }
            match mark.section {
                Section::Begins if is_outermost => {
                    let seen = code.register("$t");
                    let load = Op::Load {
                        into: seen,
                        addr: c(begun),
                    };
                    let holds = binary(BinaryOp::Eq, Expr::Var(seen), Expr::Var(number));
                    let assume = (Op::Assume(holds), Ordering::Relaxed);
                    replace(code, mark.instr, [(load, Ordering::Acquire), assume]);
                }
                Section::Ends if is_outermost => {
                    let fence = Op::Fence(Fence::Store);
                    let store = Op::Store {
                        addr: c(next),
                        value: Expr::Var(number),
                    };
                    let steps = [
                        (any(), Ordering::Relaxed),
                        (fence, Ordering::Relaxed),
                        (store, Ordering::Release),
                    ];
                    replace(code, mark.instr, steps);
                }
                Section::Begins | Section::Ends | Section::Awaited => {
                    code.instructions[mark.instr].ordering = Ordering::Relaxed;
                }
            }
        }
    }

    fn refuse_waiting_for_itself(&mut self, place: Place) {
        let message = "this waits for a read section of RCU that its own thread is in";
        let error = Diagnostic::error(message, self.positions.span(place));
        self.report(error.note("end the section before"));
    }

    fn refuse_section(&mut self, mark: Mark, depth: Depth) {
        let (message, note) = if depth == Depth::Varies {
            (
                "whether this thread is in a read section of RCU here depends on the path",
                "begin and end read sections on the same paths",
            )
        } else {
            (
                "a read section of RCU ends here that has not begun",
                "call `rcu_read_lock` before",
            )
        };
        let error = Diagnostic::error(message, self.positions.span(mark.place));
        self.report(error.note(note));
    }
}

/// A grace period: it begins, and waits for the sections of each reader.
fn make_period(code: &mut Code, instr: usize, begun: i32, readers: &[i64]) {
    let before = code.register("$t");
    let begin = Op::Rmw {
        into: before,
        addr: c(begun),
        update: Update::Fetch(FetchOp::Add, c(1)),
    };
    let mut steps = vec![(begin, Ordering::AcqRel)];
    for &next in readers {
        let seen: RegId = code.register("$t");
        let load = Op::Load {
            into: seen,
            addr: c(next as i32),
        };
        let holds = binary(BinaryOp::Gt, Expr::Var(seen), Expr::Var(before));
        steps.push((load, Ordering::Acquire));
        steps.push((Op::Assume(holds), Ordering::Relaxed));
    }
    replace(code, instr, steps);
}

/// Replaces an instruction by several ones.
fn replace(code: &mut Code, instr: usize, steps: impl IntoIterator<Item = Step>) {
    let first = code.instructions[instr].clone();
    let mut at = first.from;
    let mut steps = steps.into_iter().peekable();
    let mut is_first = true;
    while let Some((op, ordering)) = steps.next() {
        let to = match steps.peek() {
            Some(_) => code.location(first.origin),
            None => first.to,
        };
        let step = Instr {
            from: at,
            op,
            to,
            ordering,
            ..first.clone()
        };
        if std::mem::take(&mut is_first) {
            code.instructions[instr] = step;
        } else {
            code.instructions.push(step);
        }
        at = to;
    }
}

/// In how many read sections control is at each location; `None` where it never gets.
fn depths(code: &Code, marks: &[Mark]) -> Vec<Option<Depth>> {
    Flow::forward(code).solve(code.entered(Depth::Known(0)), |index, _, before| {
        let marked = marks.iter().find(|mark| mark.instr == index);
        Some(match ((*before)?, marked.map(|mark| mark.section)) {
            (Depth::Known(depth), Some(Section::Begins)) => Depth::Known(depth + 1),
            (Depth::Known(depth), Some(Section::Ends)) => Depth::Known(depth.saturating_sub(1)),
            (depth, _) => depth,
        })
    })
}
