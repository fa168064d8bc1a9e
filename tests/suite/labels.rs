//! Labels, and properties about where a thread is or is not: cheapest fences against brute force.
//!
//! A fence moves a thread past a label, and a property may require that it is not there. So a fence can
//! break the property that it is meant to preserve. The brute force inserts `fence;` at each set of
//! positions in the text, before and after labels, parses the text again, and runs the explicit engine.

use crate::support::config;
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, Until, check};
use fencepost::internals::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::formats::rewrite;
use fencepost::internals::model::Model;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::parse;
use fencepost::program::{Aim, Program};
use proptest::prelude::*;

const CELLS: [&str; 2] = ["x", "y"];
const THREADS: [&str; 2] = ["a", "b"];

#[derive(Clone, Debug)]
enum Stmt {
    Store(usize, i32),
    Load(usize),
    Skip,
    Fence,
    /// Loads until the value is different.
    Wait(usize, i32),
    /// Executes once, and again while the register has this value.
    Again(usize, i32),
    /// Stores if the register has this value; otherwise sets it to any value.
    If(i32, usize),
    /// Jumps back to the first label if the register has this value.
    Back(i32),
}

/// A statement, and whether there is a label before it.
type Line = (bool, Stmt);

/// A property's condition on one thread or cell.
#[derive(Clone, Debug)]
enum Fact {
    /// The thread is at its label with this number, modulo the number of labels.
    At(usize, usize),
    NotAt(usize, usize),
    /// It is at neither label, written with a single negation.
    Neither(usize, usize, usize),
    /// So many of two threads are at their labels with these numbers.
    Count([usize; 2], &'static str),
    Register(usize, i32),
    Cell(usize, i32),
}

fn line() -> BoxedStrategy<Line> {
    let stmt = prop_oneof![
        5 => (0..2usize, 1..3).prop_map(|(x, v)| Stmt::Store(x, v)),
        5 => (0..2usize).prop_map(Stmt::Load),
        1 => Just(Stmt::Skip),
        1 => Just(Stmt::Fence),
        1 => (0..2usize, 0..2).prop_map(|(x, v)| Stmt::Wait(x, v)),
        1 => (0..2usize, 0..2).prop_map(|(x, v)| Stmt::Again(x, v)),
        1 => (prop_oneof![Just(7), 0..2], 0..2usize).prop_map(|(v, x)| Stmt::If(v, x)),
        1 => (0..2).prop_map(Stmt::Back),
    ];
    (prop::bool::weighted(0.5), stmt).boxed()
}

/// A thread. Most could be one side of store buffering, and do not change their register after its load.
fn thread(own: usize) -> BoxedStrategy<Vec<Line>> {
    let some = || prop::collection::vec(line(), 0..2);
    let labels = prop::array::uniform2(prop::bool::weighted(0.5));
    let buffering = (some(), labels, prop::bool::weighted(0.3), some());
    let buffering = buffering.prop_map(move |(before, [store, load], fence, after)| {
        let mut core = vec![(store, Stmt::Store(own, 1)), (load, Stmt::Load(1 - own))];
        if fence {
            core.insert(1, (false, Stmt::Fence));
        }
        [before, core, after].concat()
    });
    prop_oneof![
        3 => buffering,
        1 => prop::collection::vec(line(), 2..5),
    ]
    .boxed()
}

/// The forbidden conditions: mostly that both threads have read 0, and another one.
fn facts() -> BoxedStrategy<Vec<Fact>> {
    let zeros = vec![Fact::Register(0, 0), Fact::Register(1, 0)];
    let more = prop::collection::vec(fact(), 1..3);
    prop_oneof![
        3 => more.prop_map(move |more| [zeros.clone(), more].concat()),
        1 => prop::collection::vec(fact(), 2..4),
    ]
    .boxed()
}

/// What the number of threads at labels may be compared with: `N` stands for it.
const COUNTS: [&str; 9] = [
    "N > 0", "N > 1", "N >= 1", "1 < N", "2 <= N", "N < 2", "1 > N", "N != 2", "N == 1",
];

/// How it may be written that a thread is not at a label, which `L` stands for.
const ABSENT: [&str; 4] = ["!L", "L < 1", "0 >= L + L", "L == 0"];

fn fact() -> BoxedStrategy<Fact> {
    prop_oneof![
        1 => (0..2usize, 0..3usize).prop_map(|(t, l)| Fact::At(t, l)),
        3 => (0..2usize, 0..3usize).prop_map(|(t, l)| Fact::NotAt(t, l)),
        1 => (0..2usize, 0..3usize, 0..3usize).prop_map(|(t, l, m)| Fact::Neither(t, l, m)),
        2 => (prop::array::uniform2(0..3usize), prop::sample::select(COUNTS.to_vec()))
            .prop_map(|(labels, compared)| Fact::Count(labels, compared)),
        4 => (0..2usize, 0..3).prop_map(|(t, v)| Fact::Register(t, v)),
        1 => (0..2usize, 0..3).prop_map(|(x, v)| Fact::Cell(x, v)),
    ]
    .boxed()
}

/// A builder of a text in pieces.
#[derive(Default)]
struct Draft {
    pieces: Vec<Piece>,
    text: String,
}

/// A piece of the text, and the words of a fence after it.
type Piece = (String, &'static str);

impl Draft {
    fn push(&mut self, words: impl AsRef<str>) {
        self.text.push_str(words.as_ref());
    }

    /// A fence can be written here.
    fn cut(&mut self) {
        self.pieces
            .push((std::mem::take(&mut self.text), "fence; "));
    }

    /// A branch with a fence can be written here.
    fn cut_else(&mut self) {
        let text = std::mem::take(&mut self.text);
        self.pieces.push((text, "else { fence; } "));
    }
}

/// The text in pieces; between two of them a fence can be written.
fn pieces(
    threads: &[Vec<Line>; 2],
    facts: &[Fact],
    waits: Option<(usize, usize, &str)>,
) -> Vec<Piece> {
    let mut draft = Draft::default();
    draft.push("shared x, y;\n");
    let mut labels = [0; 2];
    for (t, lines) in threads.iter().enumerate() {
        draft.push(format!("thread {} {{ local r = 7; ", THREADS[t]));
        for (labelled, stmt) in lines {
            draft.cut();
            if *labelled {
                draft.push(format!("l{}: ", labels[t]));
                labels[t] += 1;
                draft.cut();
            }
            match stmt {
                Stmt::Store(x, v) => draft.push(format!("{} = {v}; ", CELLS[*x])),
                Stmt::Load(x) => draft.push(format!("r = {}; ", CELLS[*x])),
                Stmt::Fence => draft.push("fence; "),
                Stmt::Wait(x, v) => draft.push(format!("while ({} == {v}) {{ }} ", CELLS[*x])),
                Stmt::If(v, x) => {
                    draft.push(format!("if (r == {v}) {{ "));
                    draft.cut();
                    draft.push(format!("{} = 1; ", CELLS[*x]));
                    draft.cut();
                    draft.push("} ");
                    draft.cut_else();
                }
                Stmt::Back(v) if labels[t] > 0 => {
                    draft.push(format!("if (r == {v}) {{ "));
                    draft.cut();
                    draft.push("goto l0; } ");
                    draft.cut_else();
                }
                Stmt::Skip | Stmt::Back(_) => draft.push("skip; "),
                Stmt::Again(x, v) => {
                    draft.push("do { ");
                    draft.cut();
                    draft.push(format!("r = {}; ", CELLS[*x]));
                    draft.cut();
                    draft.push(format!("}} while (r == {v}); "));
                }
            }
        }
        draft.cut();
        draft.push("}\n");
    }
    let at = |t: usize, l: usize| match labels[t] {
        0 => format!("{}.r == 0", THREADS[t]),
        count => format!("{}@l{}", THREADS[t], l % count),
    };
    let facts: Vec<String> = facts
        .iter()
        .map(|fact| match fact {
            Fact::At(t, l) => at(*t, *l),
            Fact::NotAt(t, l) => format!("!({})", at(*t, *l)),
            Fact::Neither(t, l, m) => format!("!({} || {})", at(*t, *l), at(*t, *m)),
            Fact::Count([l, m], compared) => {
                compared.replace('N', &format!("({}) + ({})", at(0, *l), at(1, *m)))
            }
            Fact::Register(t, v) => format!("{}.r == {v}", THREADS[*t]),
            Fact::Cell(x, v) => format!("{} == {v}", CELLS[*x]),
        })
        .collect();
    draft.push(format!("forbid {};\n", facts.join(" && ")));
    // After its store has reached memory and before its load, the thread is at a label. A fence there
    // moves it past the label.
    if let Some((t, l, absent)) = waits {
        let (thread, cell) = (THREADS[t], CELLS[t]);
        let absent = absent.replace('L', &format!("({})", at(t, l)));
        draft.push(format!(
            "forbid {absent} && {cell} == 1 && {thread}.r == 7;\n"
        ));
    }
    draft.cut();
    draft.pieces
}

fn with(pieces: &[Piece], fences: &[usize]) -> String {
    let mut text = String::new();
    for (number, (piece, fence)) in pieces.iter().enumerate() {
        text.push_str(piece);
        if fences.contains(&number) {
            text.push_str(fence);
        }
    }
    text
}

fn read(text: &str) -> Result<Program, TestCaseError> {
    let parsed = parse(text);
    let program = parsed.program;
    program.ok_or_else(|| TestCaseError::fail(format!("{:?}\n{text}", parsed.diagnostics)))
}

/// Whether the property holds, according to the explicit engine.
fn holds(text: &str, model: Model) -> Result<Option<bool>, TestCaseError> {
    let options = CheckOptions::new(model)
        .engine(Engine::Explicit)
        .until(Until::Violated);
    let budget = Budget::default().with_states(20_000);
    let report = check(&read(text)?, &options, &budget);
    let report = report.map_err(|defect| TestCaseError::fail(format!("{defect}\n{text}")))?;
    Ok(match report.verdict() {
        Verdict::Holds => Some(true),
        Verdict::Violated(_) => Some(false),
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    })
}

/// All sets of at most three positions, smaller ones first.
fn sets(positions: usize) -> Vec<Vec<usize>> {
    let mut sets = vec![Vec::new()];
    let mut grown: Vec<Vec<usize>> = sets.clone();
    for _ in 0..3 {
        let mut next = Vec::new();
        for set in &grown {
            let first = set.last().map_or(0, |last| last + 1);
            next.extend((first..positions).map(|at| [set.as_slice(), &[at]].concat()));
        }
        sets.extend(next.iter().cloned());
        grown = next;
    }
    sets
}

fn nothing_cheaper_can_be_written(pieces: &[Piece], model: Model) -> Result<(), TestCaseError> {
    let text = with(pieces, &[]);
    if holds(&text, Model::Sc)? != Some(true) {
        return Ok(());
    }
    let parsed = parse(&text);
    let Some(program) = parsed.positions() else {
        return Err(TestCaseError::fail(text));
    };
    let options = FenceOptions::new(model, Aim::Assertions).unroll(3);
    let report = cheapest_fences(program, &options, &Budget::default().with_states(50_000));
    let report = report.map_err(|defect| TestCaseError::fail(format!("{defect}\n{text}")))?;
    let cost = match report.outcome() {
        // A loop may fill a buffer without end; then there is no claim to check.
        Outcome::Found(found) if found.bounds.is_some() && text.contains("goto") => return Ok(()),
        Outcome::Undecided(_) if text.contains("goto") => return Ok(()),
        Outcome::Found(found) => {
            prop_assert!(found.optimal && found.bounds.is_none(), "{}", text);
            let changes: Vec<_> = found.sets[0]
                .iter()
                .flat_map(|place| place.changes(program))
                .collect();
            // A place that cannot be written is inside an expression.
            if let Ok(repaired) = rewrite(&text, program, &changes) {
                prop_assert_ne!(
                    holds(&repaired, model)?,
                    Some(false),
                    "{}\n{}",
                    model,
                    repaired
                );
            }
            found.sets[0].len()
        }
        Outcome::Impossible { .. } => usize::MAX,
        Outcome::Undecided(reason) => return Err(TestCaseError::fail(format!("{reason}\n{text}"))),
    };
    let positions = pieces.len() - 1;
    for set in sets(positions).iter().filter(|set| set.len() < cost) {
        let fenced = with(pieces, set);
        prop_assert_ne!(
            holds(&fenced, model)?,
            Some(true),
            "{}: cost {} found for\n{}but less suffices:\n{}",
            model,
            cost,
            text,
            fenced
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn fences_at_labels_are_as_cheap_as_fences_in_the_text(
        threads in [thread(0).boxed(), thread(1).boxed()],
        facts in facts(),
        waits in prop::option::weighted(0.7, (0..2usize, 0..3usize, prop::sample::select(ABSENT.to_vec()))),
        model in prop_oneof![Just(Model::Tso), Just(Model::Pso)],
    ) {
        nothing_cheaper_can_be_written(&pieces(&threads, &facts, waits), model)?;
    }
}
