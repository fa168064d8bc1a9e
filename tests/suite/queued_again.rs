//! Work and timers that queue one another against a model of them: a flag that says whether one is pending, and the
//! execution that runs.

#![allow(clippy::expect_used, reason = "a text that is not read has failed")]

use crate::support::config::config;
use fencepost::internals::check::{CheckOptions, check};
use fencepost::internals::formats::{Format, ParseOptions, parse_with};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Work,
    Timer,
}

/// What `main` does to one of two items; what it yields is noted, except of a flush: one after a cancellation may still
/// wait for the thread that has nothing to execute any more, and say so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Act {
    Queue,
    Cancel,
    CancelAndWait,
    /// Of work; a timer is shut down.
    Flush,
    /// Of a timer, without waiting; work is cancelled.
    Shut,
}

#[derive(Clone, Debug)]
struct Case {
    kind: Kind,
    acts: Vec<(Act, usize)>,
    /// What another thread queues.
    other: Option<usize>,
    /// For each item: how often its function queues which one.
    again: [(u8, usize); 2],
}

fn case() -> impl Strategy<Value = Case> {
    let act = prop_oneof![
        1 => Just(Act::Cancel),
        2 => Just(Act::CancelAndWait),
        2 => Just(Act::Flush),
        1 => Just(Act::Shut),
    ];
    let acts = prop::collection::vec((act, 0..2_usize), 0..3);
    let kind = prop_oneof![Just(Kind::Work), Just(Kind::Timer)];
    let other = prop::option::weighted(0.3, 0..2_usize);
    let again = [(0..3_u8, 0..2_usize), (0..2_u8, 0..2_usize)];
    (kind, 0..2_usize, acts, other, again).prop_map(|(kind, first, mut acts, other, again)| {
        // A call that finds something pending may find one that another thread is about to queue: what comes after
        // that in `main` would tell the model from it.
        let other = other.filter(|_| acts.is_empty());
        acts.insert(0, (Act::Queue, first));
        Case {
            kind,
            acts,
            other,
            again,
        }
    })
}

#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Item {
    /// The number of the execution that is pending, and that of the one that runs, with what it does next.
    pending: Option<u8>,
    running: Option<(u8, Step)>,
    begun: u8,
    queued_again: u8,
    is_held: bool,
    is_shut: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Enter,
    Queue,
    Note(bool),
    End,
}

/// What a call of `main` has come to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Call {
    Begins,
    /// Until nothing of the item runs, or this execution has ended.
    Waits(bool),
    Until(u8),
    Yields(bool),
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Machine {
    items: [Item; 2],
    at: usize,
    call: Call,
    other_queues: bool,
    trace: u32,
}

impl Machine {
    fn note(&mut self, what: u32) {
        self.trace = self.trace.saturating_mul(8).saturating_add(what);
    }

    /// Queues work, or arms a timer; what that yields.
    fn queue(&mut self, kind: Kind, item: usize) -> bool {
        let item = &mut self.items[item];
        if item.is_shut {
            return false;
        }
        if item.is_held || item.pending.is_some() {
            return kind == Kind::Timer;
        }
        item.begun += 1;
        item.pending = Some(item.begun);
        kind == Kind::Work
    }

    /// The step of `main`, if it is possible.
    fn of_main(&self, case: &Case) -> Option<Machine> {
        let &(act, number) = case.acts.get(self.at)?;
        let mut next = self.clone();
        let item = &mut next.items[number];
        let is_work = case.kind == Kind::Work;
        next.call = match (self.call, act) {
            (Call::Yields(yielded), _) => {
                next.note(1 + u32::from(yielded));
                next.at += 1;
                Call::Begins
            }
            (Call::Waits(yielded), _) if item.running.is_none() => {
                item.is_held = false;
                Call::Yields(yielded)
            }
            (Call::Until(execution), _)
                if item.pending != Some(execution)
                    && item.running.is_none_or(|(runs, _)| runs != execution) =>
            {
                Call::Yields(false)
            }
            (Call::Waits(_) | Call::Until(_), _) => return None,
            (Call::Begins, Act::Queue) => Call::Yields(next.queue(case.kind, number)),
            (Call::Begins, Act::Shut) => {
                item.is_shut = !is_work;
                Call::Yields(item.pending.take().is_some())
            }
            (Call::Begins, Act::Cancel) => Call::Yields(item.pending.take().is_some()),
            (Call::Begins, Act::CancelAndWait) if is_work => {
                item.is_held = true;
                Call::Waits(item.pending.take().is_some())
            }
            (Call::Begins, Act::Flush) if is_work => {
                let last = item
                    .pending
                    .or(item.running.map(|(execution, _)| execution));
                last.map_or(Call::Yields(false), Call::Until)
            }
            (Call::Begins, Act::CancelAndWait | Act::Flush) => {
                if item.running.is_some() {
                    return None;
                }
                item.is_shut |= act == Act::Flush;
                Call::Yields(item.pending.take().is_some())
            }
        };
        Some(next)
    }

    fn of_item(&self, case: &Case, number: usize) -> Option<Machine> {
        let mut next = self.clone();
        let item = &mut next.items[number];
        let Some((execution, step)) = item.running else {
            let execution = item.pending.take()?;
            item.running = Some((execution, Step::Enter));
            return Some(next);
        };
        let (times, of) = case.again[number];
        let then = match step {
            Step::Enter => {
                next.note(3 + number as u32);
                Some(Step::Queue)
            }
            Step::Queue if item.queued_again < times => {
                item.queued_again += 1;
                Some(Step::Note(next.queue(case.kind, of)))
            }
            Step::Queue | Step::End => None,
            Step::Note(yielded) => {
                next.note(5 + u32::from(yielded));
                Some(Step::End)
            }
        };
        next.items[number].running = then.map(|step| (execution, step));
        Some(next)
    }
}

/// What may have been noted when `main` has done everything.
fn traces(case: &Case) -> BTreeSet<u32> {
    let first = Machine {
        items: Default::default(),
        at: 0,
        call: Call::Begins,
        other_queues: case.other.is_some(),
        trace: 0,
    };
    let (mut seen, mut open) = (HashSet::from([first.clone()]), vec![first]);
    let mut found = BTreeSet::new();
    while let Some(machine) = open.pop() {
        if machine.at == case.acts.len() {
            found.insert(machine.trace);
        }
        let of_other = case.other.filter(|_| machine.other_queues).map(|item| {
            let mut next = machine.clone();
            next.other_queues = false;
            next.queue(case.kind, item);
            next
        });
        let of_items = (0..2).filter_map(|number| machine.of_item(case, number));
        for next in machine
            .of_main(case)
            .into_iter()
            .chain(of_items)
            .chain(of_other)
        {
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    found
}

/// A program with this condition at the end of `main`.
fn program_of(case: &Case, condition: &str) -> String {
    let is_work = case.kind == Kind::Work;
    let queue = |item: usize| match case.kind {
        Kind::Work => format!("queue_work(system_wq, &item{item})"),
        Kind::Timer => format!("mod_timer(&item{item}, 1)"),
    };
    let mut text = "#include <linux/bug.h>\n#include <linux/timer.h>\n#include <linux/workqueue.h>\n\
                    #include <pthread.h>\nstatic int trace;\nstatic void note(int what)\n{\n\
                    __VERIFIER_atomic_begin();\ntrace = trace * 8 + what;\n__VERIFIER_atomic_end();\n}\n"
        .to_owned();
    let (of, define) = if is_work {
        ("work_struct", "DECLARE_WORK")
    } else {
        ("timer_list", "DEFINE_TIMER")
    };
    for item in 0..2 {
        write!(
            text,
            "static void run{item}(struct {of} *);\nstatic {define}(item{item}, run{item});\n"
        )
        .expect("strings grow");
    }
    for (item, (times, again)) in case.again.iter().enumerate() {
        write!(
            text,
            "static void run{item}(struct {of} *unused)\n{{\nstatic int times;\nnote({});\n\
             if (times < {times}) {{\ntimes++;\nnote(5 + {});\n}}\n}}\n",
            3 + item,
            queue(*again),
        )
        .expect("strings grow");
    }
    if let Some(item) = case.other {
        write!(
            text,
            "static void *other(void *unused)\n{{\n{};\nreturn 0;\n}}\n",
            queue(item)
        )
        .expect("strings grow");
    }
    text += "int main(void)\n{\n";
    if case.other.is_some() {
        text += "pthread_t thread;\npthread_create(&thread, 0, other, 0);\n";
    }
    for &(act, item) in &case.acts {
        let called = match (act, is_work) {
            (Act::Queue, _) => queue(item),
            (Act::Cancel | Act::Shut, true) => format!("cancel_work(&item{item})"),
            (Act::CancelAndWait, true) => format!("cancel_work_sync(&item{item})"),
            (Act::Flush, true) => format!("(flush_work(&item{item}), 0)"),
            (Act::Cancel, false) => format!("timer_delete(&item{item})"),
            (Act::CancelAndWait, false) => format!("timer_delete_sync(&item{item})"),
            (Act::Flush, false) => format!("timer_shutdown_sync(&item{item})"),
            (Act::Shut, false) => format!("timer_shutdown(&item{item})"),
        };
        writeln!(text, "note(1 + {called});").expect("strings grow");
    }
    text + &format!("int end = READ_ONCE(trace);\nBUG_ON(!({condition}));\nreturn 0;\n}}\n")
}

/// Whether the condition always holds; `None` if that is not decided.
fn holds(case: &Case, condition: &str) -> Option<bool> {
    let text = program_of(case, condition);
    let parsed = parse_with(Format::C, &text, &ParseOptions::new().name("t.c"));
    let rendered = parsed.render("t.c", &text, false);
    let program = parsed
        .program
        .unwrap_or_else(|| panic!("{rendered}\n{text}"));
    let budget = Budget::default().with_states(30_000);
    let report = check(&program, &CheckOptions::new(Model::Sc), &budget);
    match report.expect("no defect").verdict().word() {
        "holds" => Some(true),
        "violated" => Some(false),
        _ => None,
    }
}

proptest! {
    #![proptest_config(config(32))]

    #[test]
    fn what_is_queued_again_is_executed_as_often_and_when_it_may_be(
        case in case(),
        pick in any::<prop::sample::Index>(),
    ) {
        let traces = traces(&case);
        prop_assume!(traces.len() <= 40 && traces.iter().all(|trace| *trace < 1 << 30));
        let all: Vec<String> = traces.iter().map(|trace| format!("end == {trace}")).collect();
        if let Some(found) = holds(&case, &all.join(" || ")) {
            prop_assert!(found, "more than {:?}\n{}", traces, program_of(&case, &all.join(" || ")));
        }
        let all: Vec<u32> = traces.into_iter().collect();
        let one = pick.get(&all);
        let condition = format!("end != {one}");
        if let Some(found) = holds(&case, &condition) {
            prop_assert!(!found, "without {:o}\n{}", one, program_of(&case, &condition));
        }
    }
}
