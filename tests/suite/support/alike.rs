//! Random programs with identical threads, and goals that treat the threads alike or do not.

use super::random::{Observed, Shape, Sketch, sketch};
use super::waiting;
use fencepost::internals::formats::parse;
use fencepost::program::{
    Addr, BinaryOp, Expr, Goal, LocId, Observable, Origin, Program, Property, PropertyKind, RegId,
    ThreadId,
};
use proptest::prelude::*;
use std::fmt::Write as _;

/// A program, its identical threads, and the goals of a search.
#[derive(Clone, Debug)]
pub struct Alike {
    pub program: Program,
    pub copies: Vec<ThreadId>,
    pub goals: Vec<Goal>,
}

/// Which of the identical threads the predicates of a draft mention.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scope {
    /// Memory only.
    Cell,
    /// All of them, in one predicate that treats them alike.
    All,
    Sum,
    /// One predicate for each thread, for each pair, or for each ordered pair.
    Each,
    Pairs,
    Ordered,
    Less,
    /// Some of those, so that the threads are not treated alike.
    One(usize),
    Two,
    ButOne,
}

/// The description of some properties.
#[derive(Clone, Copy, Debug)]
struct Draft {
    scope: Scope,
    kind: usize,
    /// Whether it is about a location, or else about the value of a register.
    place: bool,
    loc: usize,
    reg: usize,
    value: i32,
    cell: usize,
    /// Whether operands and threads are in the other order now and then.
    flip: bool,
}

fn draft() -> BoxedStrategy<Draft> {
    let scope = prop_oneof![
        1 => Just(Scope::Cell),
        2 => Just(Scope::All),
        1 => Just(Scope::Sum),
        3 => Just(Scope::Each),
        3 => Just(Scope::Pairs),
        1 => Just(Scope::Ordered),
        1 => Just(Scope::Less),
        1 => (0..4_usize).prop_map(Scope::One),
        1 => Just(Scope::Two),
        1 => Just(Scope::ButOne),
    ];
    let part = (any::<bool>(), 0..40_usize, 0..40_usize, 0..3_i32);
    (scope, 0..16_usize, part, 0..40_usize, any::<bool>())
        .prop_map(
            |(scope, kind, (place, loc, reg, value), cell, flip)| Draft {
                scope,
                kind,
                place,
                loc,
                reg,
                value,
                cell,
                flip,
            },
        )
        .boxed()
}

impl Draft {
    fn place(&self, program: &Program, thread: ThreadId) -> Expr<Observable> {
        let locations = program.thread(thread).locations();
        let stops: Vec<usize> = (0..locations.len())
            .filter(|&loc| !locations[loc].atomic)
            .collect();
        let loc = LocId::from(stops[self.loc % stops.len()]);
        Expr::Var(Observable::At(thread, loc))
    }

    fn register(&self, program: &Program, thread: ThreadId) -> Expr<Observable> {
        let registers = program.thread(thread).registers().len();
        Expr::Var(Observable::Register(
            thread,
            RegId::from(self.reg % registers),
        ))
    }

    fn equal(&self, program: &Program, thread: ThreadId) -> Expr<Observable> {
        let register = self.register(program, thread);
        let value = Expr::Const(self.value);
        if self.flip {
            Expr::binary(BinaryOp::Eq, value, register)
        } else {
            Expr::binary(BinaryOp::Eq, register, value)
        }
    }

    fn atom(&self, program: &Program, thread: ThreadId) -> Expr<Observable> {
        if self.place {
            self.place(program, thread)
        } else {
            self.equal(program, thread)
        }
    }

    /// The predicates, each with the thread of which it says that it starves, if it does.
    fn predicates(
        &self,
        program: &Program,
        copies: &[ThreadId],
    ) -> Vec<(Expr<Observable>, Option<ThreadId>)> {
        let atom = |thread: ThreadId| self.atom(program, thread);
        let both = |a, b| Expr::binary(BinaryOp::And, a, b);
        let mut order = copies.to_vec();
        if self.flip {
            order.reverse();
        }
        let pairs = |ordered: bool| {
            let pairs = copies
                .iter()
                .flat_map(|&a| copies.iter().map(move |&b| (a, b)));
            pairs.filter(move |(a, b)| a < b || ordered && a != b)
        };
        let pair = |(a, b): (ThreadId, ThreadId)| {
            if self.flip && (a.0 + b.0) % 2 == 0 {
                (both(atom(b), atom(a)), None)
            } else {
                (both(atom(a), atom(b)), None)
            }
        };
        match self.scope {
            Scope::Cell => {
                let cell = Addr::from_index(self.cell % program.cell_count());
                let cell = Expr::Var(Observable::Cell(cell));
                let value = Expr::Const(self.value);
                vec![(Expr::binary(BinaryOp::Eq, cell, value), None)]
            }
            Scope::All => {
                let all = order.into_iter().map(atom).reduce(both);
                all.into_iter().map(|all| (all, None)).collect()
            }
            Scope::Sum => {
                let sum = order.into_iter().map(atom);
                let sum = sum.reduce(|a, b| Expr::binary(BinaryOp::Add, a, b));
                let many = |sum| Expr::binary(BinaryOp::Ge, sum, Expr::Const(2));
                sum.into_iter().map(|sum| (many(sum), None)).collect()
            }
            Scope::Each => order.into_iter().map(|t| (atom(t), Some(t))).collect(),
            Scope::Pairs => pairs(false).map(pair).collect(),
            Scope::Ordered => pairs(true)
                .map(|(a, b)| (both(self.place(program, a), self.equal(program, b)), None))
                .collect(),
            Scope::Less => pairs(true)
                .map(|(a, b)| {
                    let [a, b] = [a, b].map(|thread| self.register(program, thread));
                    (Expr::binary(BinaryOp::Lt, a, b), None)
                })
                .collect(),
            Scope::One(number) => {
                let thread = copies[number % copies.len()];
                vec![(atom(thread), Some(thread))]
            }
            Scope::Two => vec![pair((copies[0], copies[1]))],
            Scope::ButOne => pairs(true).skip(1).map(pair).collect(),
        }
    }

    fn properties(&self, program: &Program, copies: &[ThreadId]) -> Vec<Property> {
        let kind = |starves: Option<ThreadId>| match (self.kind, starves) {
            (0, Some(thread)) => PropertyKind::Starved(thread),
            (0..=2, _) => PropertyKind::Stuck,
            (3..=5, _) => PropertyKind::Exists,
            (6..=8, _) => PropertyKind::FinalAssert,
            _ => PropertyKind::Forbid,
        };
        let predicates = self.predicates(program, copies).into_iter();
        predicates
            .map(|(predicate, starves)| Property {
                kind: kind(starves),
                predicate,
                origin: Origin::default(),
            })
            .collect()
    }
}

/// The program with the properties of the drafts; the goals are its own ones from `kept` on and those
/// of the drafts, except one in `dropped`, if there are so many.
fn with(
    program: &Program,
    copies: Vec<ThreadId>,
    drafts: &[Draft],
    kept: usize,
    dropped: usize,
) -> Alike {
    let mut stated = program.clone();
    for draft in drafts {
        for property in draft.properties(program, &copies) {
            stated = stated.with_property(property);
        }
    }
    let mut goals = stated.goals();
    goals.retain(|goal| match *goal {
        Goal::Property(number) => number >= kept,
        Goal::Assert(_) | Goal::Outside(_) => true,
    });
    if dropped < goals.len() {
        goals.remove(dropped);
    }
    Alike {
        program: stated,
        copies,
        goals,
    }
}

/// Identical threads of all kinds of statements, perhaps beside another thread.
pub fn statements(shape: Shape) -> BoxedStrategy<Alike> {
    let bodies = (2..=4_usize).prop_flat_map(move |count| {
        let longest = [4, 3, 2][count - 2];
        let shape = Shape { longest, ..shape };
        (Just(count), sketch(shape))
    });
    let other = prop_oneof![3 => Just(None), 1 => any::<bool>().prop_map(Some)];
    let drafts = prop::collection::vec(draft(), 0..3);
    // The sketch's own properties are about single threads.
    let kept = prop_oneof![6 => Just(4), 1 => Just(0)];
    let dropped = prop_oneof![4 => Just(usize::MAX), 1 => 0..12_usize];
    (bodies, other, drafts, kept, dropped)
        .prop_map(|((count, sketch), other, drafts, kept, dropped)| {
            let mut bodies = sketch.threads.into_iter();
            let mut body = bodies.next().unwrap_or_default();
            body.truncate([4, 3, 2][count - 2]);
            let mut threads = vec![body; count];
            let mut first = 0;
            if let (Some(before), Some(mut body)) = (other, bodies.next()) {
                body.truncate(2);
                first = usize::from(before);
                let at = if before { 0 } else { count };
                threads.insert(at, body);
            }
            let copies = (first..first + count).map(ThreadId::from).collect();
            let observed: Observed = sketch.observed;
            let program = Sketch { threads, observed }.build();
            with(&program, copies, &drafts, kept, dropped)
        })
        .boxed()
}

/// Declared copies of a thread that waits, perhaps beside another thread.
pub fn waits() -> BoxedStrategy<Alike> {
    let copies = prop_oneof![
        (Just(2_usize), waiting::thread(3)),
        (Just(3), waiting::thread(2)),
    ];
    let other = prop::option::weighted(0.4, waiting::thread(2));
    (copies, other, prop::collection::vec(draft(), 0..3))
        .prop_map(|((count, body), other, drafts)| {
            let mut text =
                format!("shared x, y, z;\nthread w[{count}] {{ local r; local q; {body} }}\n");
            if let Some(body) = other {
                let _ = writeln!(text, "thread v {{ local r; local q; {body} }}");
            }
            text += "forbid stuck;\n";
            let parsed = parse(&text);
            let program = parsed
                .program
                .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics));
            let copies = (0..count).map(ThreadId::from).collect();
            with(&program, copies, &drafts, 0, usize::MAX)
        })
        .boxed()
}

/// Statements of threads with values and cells of their own; `ME` is what names a thread, `NULL` what
/// names none. After the first fifty or so, the statements treat names as numbers, or belong to
/// particular threads, so that few exchanges are symmetries.
const OWNED: [&str; 60] = [
    "node[ME] = 1;",
    "node[ME] = NULL;",
    "node[ME] = p;",
    "other[ME] = 1;",
    "other[ME] = v;",
    "tail = ME;",
    "tail = p;",
    "p = tail;",
    "p = ME;",
    "p = xchg(tail, ME);",
    "p = xchg(node[ME], p);",
    "q = cas(tail, ME, NULL);",
    "q = cas(tail, p, ME);",
    "q = cas(node[p], NULL, ME);",
    "q = node[p];",
    "q = node[ME];",
    "v = other[p];",
    "v = other[ME];",
    "node[p] = ME;",
    "other[p] = 0;",
    "other[p] = 2;",
    "if (p == ME) { x = 1; } else { v = x; }",
    "if (p != NULL) { v = other[p]; }",
    "if (p) { v = x; }",
    "if (p != q) { q = node[q]; }",
    "assert(p != ME);",
    "assert(v == 0 || p == q);",
    "assume(p != NULL);",
    "while (other[p] == 1) { }",
    "v = p == q ? 2 : v;",
    "q = v == 0 ? p : ME;",
    "atomic { p = tail; tail = ME; }",
    "fence;",
    "x = v;",
    "v = x;",
    "a = &node[ME];",
    "place = a;",
    "a = place; v = *a;",
    "*a = 1; *(a + 4) = p;",
    "a = &node[p]; *a = 1;",
    "a = &other[p];",
    "place = &other[p];",
    "if (a == &node[p]) { x = 1; }",
    "a = p + 3; q = a - 3;",
    "a = &node[q]; v = *(a + 4);",
    "a = 2 * p; if (a == 2) { v = 1; }",
    "a = a + 1;",
    "x = ME;",
    "v = p + 1;",
    "p = ME; p = p + 1; assert(p != NULL);",
    "tail = p + 1;",
    "p = nondet(1, 2); a = p + 3; v = a != ME + 3; assert(a == p + 3);",
    "v = p < 2;",
    "p = ME; assert(p < 2);",
    "p = ME; assert(!p);",
    "p = nondet(0, 2);",
    "p = nondet(0, 2); assert(p != ME);",
    "v = fetch_add(tail, 1);",
    "tail = ME; v = fetch_add(tail, 1); assert(v != 2);",
    "node[2] = 1;",
];

/// What is forbidden for one of these threads, `W`, which is named `ME`, or for each of them.
const FORBIDDEN: [&str; 7] = [
    "W.p == ME",
    "W.p == 1",
    "W.q == 2 && W.v == 0",
    "W.v == 1",
    "other[ME] == 1",
    "other[ME] == 1 && W.v == 0",
    "tail == ME",
];

/// Threads that are alike but for what belongs to each of them, perhaps beside another thread.
pub fn owners() -> BoxedStrategy<Alike> {
    let statement = || prop_oneof![9 => 0..47_usize, 1 => 47..OWNED.len()];
    let bodies = prop_oneof![
        (Just(2_usize), prop::collection::vec(statement(), 1..=5)),
        (Just(3), prop::collection::vec(statement(), 1..=3)),
    ];
    let other = prop::option::weighted(0.3, prop::collection::vec(statement(), 1..=2));
    let names = prop_oneof![
        Just(("tid + 1", "0")),
        Just(("tid", "3")),
        Just(("2 - tid", "3"))
    ];
    let forbidden = (0..FORBIDDEN.len(), prop::bool::weighted(0.8));
    let goals = (
        prop::collection::vec(forbidden, 0..3),
        prop::collection::vec(draft(), 0..2),
    );
    (bodies, other, names, goals)
        .prop_map(
            |((count, body), other, (name, null), (forbidden, drafts))| {
                let written = |statements: &[usize], name: &str| {
                    let statements = statements.iter().map(|&number| OWNED[number]);
                    let text: String = statements.collect();
                    text.replace("ME", name).replace("NULL", null)
                };
                let locals = "local p; local q; local v; local a;";
                let mut text = format!(
                    "shared node[4], other[4], tail, place, x;
                thread w[{count}] {{ {locals} {} }}\n",
                    written(&body, name)
                );
                if let Some(other) = other {
                    let other = written(&other, null);
                    let _ = writeln!(text, "thread z {{ {locals} {other} }}");
                }
                for (number, each) in forbidden {
                    for thread in 0..if each { count } else { 1 } {
                        let (of, name) = (
                            format!("w.{thread}"),
                            name.replace("tid", &thread.to_string()),
                        );
                        let goal = FORBIDDEN[number].replace('W', &of).replace("ME", &name);
                        let _ = writeln!(text, "forbid {goal};");
                    }
                }
                let parsed = parse(&text);
                let program = parsed
                    .program
                    .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics));
                let copies = (0..count).map(ThreadId::from).collect();
                with(&program, copies, &drafts, 0, usize::MAX)
            },
        )
        .boxed()
}
