//! The interval around a place: where else a fence may be instead, since nothing but registers is used in
//! between.
//!
//! ```text
//!   x = 1;                    ─ after the last access
//!   a = a + 1;                ┐
//!   b = a;                    │ a fence before or after either of these does the same
//!                             ┘
//!   while (y == a) { … }      ─ before the next access, or before control divides
//! ```
//!
//! Where the interval ends at the end of a loop's body, the test that follows is the last position.
//!
//! **Absent.** Fences after or before accesses that would do as well: only the search can decide that.

use super::place::Place;
use crate::facts::Loops;
use crate::program::{
    FenceKind, FencePlace, Instruction, LocId, Origin, Program, Role, Thread, ThreadId,
};

/// Where a fence may be. All positions are in one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The access before it, if there is a single one.
    pub after: Option<Origin>,
    /// The first position.
    pub first: Origin,
    /// The last one.
    pub last: Until,
}

/// The last position of an interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// Before what is written here.
    Before(Origin),
    /// Before a part of the head of a loop, such as the test of `do … while`.
    Head(Origin),
    /// Before the next test of the loop that it is in.
    NextTest(Origin),
}

impl Interval {
    /// Whether it has positions on several lines. In a loop the test may be written above the others.
    pub fn has_several_lines(&self) -> bool {
        let first = self.first.line;
        match self.last {
            Until::Before(last) => last.line > first,
            Until::Head(last) | Until::NextTest(last) => last.line != first,
        }
    }
}

impl Until {
    /// What is written after the last position.
    pub fn origin(&self) -> Origin {
        match self {
            Until::Before(origin) | Until::Head(origin) | Until::NextTest(origin) => *origin,
        }
    }
}

/// The interval around a place; `None` if its locations have different ones.
pub fn interval(program: &Program, place: &Place) -> Option<Interval> {
    if place.kind == FenceKind::Exchange {
        return None;
    }
    let mut all = place.points.iter().map(|&(t, loc)| around(program, t, loc));
    let first = all.next()??;
    all.all(|other| other == Some(first)).then_some(first)
}

fn around(program: &Program, id: ThreadId, loc: LocId) -> Option<Interval> {
    let ways = Ways {
        thread: program.thread(id),
        loops: Loops::of(program.thread(id)),
    };
    if ways.is_fixed(loc) {
        return None;
    }
    let (mut first, mut at) = (loc, loc);
    while let Some(before) = ways.only_before(at).filter(|loc| !ways.is_fixed(*loc)) {
        if before == loc {
            return None;
        }
        at = before;
        if !ways.is_inside(at) {
            first = at;
        }
    }
    let mut arriving = ways.thread.instructions().iter().filter(|i| i.to == at);
    let after = arriving.next().filter(|i| i.op.address().is_some());
    let after = after.filter(|_| arriving.next().is_none() && at != ways.thread.entry());
    let last = ways.last(loc)?;
    let interval = Interval {
        after: after.map(|instruction| instruction.origin),
        first: ways.origin(first)?,
        last,
    };
    let origins = [Some(interval.first), Some(last.origin()), interval.after];
    let mut origins = origins.into_iter().flatten();
    let is_here =
        |origin: Origin| origin.line > 0 && program.file(origin) == program.file(interval.first);
    origins.all(is_here).then_some(interval)
}

struct Ways<'p> {
    thread: &'p Thread,
    loops: Loops,
}

impl<'p> Ways<'p> {
    fn leaving(&self, loc: LocId) -> impl Iterator<Item = &'p Instruction> {
        let thread = self.thread;
        let leaving = thread.outgoing(loc).iter();
        leaving.map(move |&instr| thread.instruction(instr))
    }

    fn origin(&self, loc: LocId) -> Option<Origin> {
        self.leaving(loc).next().map(|i| i.origin)
    }

    fn is_inside(&self, loc: LocId) -> bool {
        self.leaving(loc).any(|i| i.role == Role::Inside)
    }

    /// Whether a fence there is not the same as one elsewhere: a property may name the location, or it
    /// has a cost of its own.
    fn is_fixed(&self, loc: LocId) -> bool {
        let location = self.thread.location(loc);
        location.labelled
            || location.atomic
            || self.leaving(loc).any(|i| i.place != FencePlace::Default)
    }

    /// The only location before this one, if control always passes from there to here without any
    /// access.
    fn only_before(&self, loc: LocId) -> Option<LocId> {
        let mut arriving = self.thread.instructions().iter().filter(|i| i.to == loc);
        let only = arriving.next().filter(|i| i.op.is_local())?;
        let is_only = arriving.next().is_none() && loc != self.thread.entry();
        let divides = self.leaving(only.from).count() > 1;
        (is_only && !divides).then_some(only.from)
    }

    /// The only location after this one, by the same rule, though control may get there from elsewhere,
    /// too.
    fn only_after(&self, loc: LocId) -> Option<LocId> {
        let mut leaving = self.leaving(loc);
        let only = leaving.next().filter(|i| i.op.is_local())?;
        leaving.next().is_none().then_some(only.to)
    }

    /// The last position from this location on.
    fn last(&self, from: LocId) -> Option<Until> {
        let mut last = Until::Before(self.origin(from)?);
        let mut at = from;
        while let Some(next) = self.only_after(at).filter(|loc| !self.is_fixed(*loc)) {
            let Some(origin) = self.origin(next) else {
                break;
            };
            let is_head = self.is_inside(next) && self.loops.depth(next) > 0;
            let joins = self.only_before(next) != Some(at);
            if joins {
                let again =
                    self.loops.is_head(next) && self.loops.depth(from) >= self.loops.depth(next);
                if is_head && again {
                    last = Until::NextTest(origin);
                }
                break;
            }
            if next == from {
                break;
            }
            if is_head {
                last = Until::Head(origin);
            } else if !self.is_inside(next) {
                last = Until::Before(origin);
            }
            at = next;
        }
        Some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::parse;

    /// The lines of the interval around the position that begins in this line: the line of the access
    /// before it, and the last one.
    fn lines(text: &str, line: u32) -> Option<(Option<u32>, &'static str, u32)> {
        let parsed = parse(text);
        let program = parsed.apart.or(parsed.program).expect("it parses");
        let thread = ThreadId(0);
        let automaton = program.thread(thread);
        let begins = |i: &&Instruction| i.origin.line == line && i.role == Role::Written;
        let first = automaton
            .instructions()
            .iter()
            .find(begins)
            .expect("it begins");
        let place = Place {
            points: vec![(thread, first.from)],
            kind: FenceKind::Full,
            cost: 1,
            each: vec![1],
        };
        let found = interval(&program, &place)?;
        let (kind, last) = match found.last {
            Until::Before(origin) => ("before", origin.line),
            Until::Head(origin) => ("head", origin.line),
            Until::NextTest(origin) => ("next test", origin.line),
        };
        Some((found.after.map(|origin| origin.line), kind, last))
    }

    #[test]
    fn an_interval_is_between_two_accesses() {
        let text = "shared x, y; thread t { local a, b, r;
            x = 1;
            a = a + 1;
            b = a;
            r = y;
        }";
        for line in [3, 4, 5] {
            assert_eq!(lines(text, line), Some((Some(2), "before", 5)), "{line}");
        }
    }

    #[test]
    fn control_that_divides_or_a_label_ends_an_interval() {
        let text = "shared x, y; thread t { local a, b, r;
            x = 1;
            a = nondet(0, 1);
            if (a == 0) { b = 1; }
            b = 3;
            label: b = 2;
            r = y;
        }";
        assert_eq!(lines(text, 3), Some((Some(2), "before", 4)));
        // Before the label, in its line, is still the same.
        assert_eq!(lines(text, 5), Some((None, "before", 6)));
        assert_eq!(lines(text, 7), Some((None, "before", 7)));
    }

    #[test]
    fn the_end_of_a_body_goes_on_to_the_next_test() {
        let text = "shared x, y; thread t { local a;
            while (y == a) {
                x = 1;
                a = 2;
            }
        }";
        assert_eq!(lines(text, 4), Some((Some(3), "next test", 2)));
        let text = "shared x, y; thread t { local a;
            do {
                x = 1;
                a = 2;
            } while (y == a);
        }";
        assert_eq!(lines(text, 4), Some((Some(3), "head", 5)));
        // Before the loop is not inside of it.
        let text = "shared x, y; thread t { local a;
            x = 1;
            a = 2;
            while (y == a) { x = 2; }
        }";
        assert_eq!(lines(text, 3), Some((Some(2), "before", 4)));
    }
}
