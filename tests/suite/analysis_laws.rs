//! The static analyses against the step-by-step reference, on random automata with loops.
//!
//! The automata are small graphs with random instructions on their edges. So loops are entered in the
//! middle, wait, never end, or store: shapes that structured text lacks. An exploration that exceeds its
//! budget is inconclusive.

use crate::support::{config, regress};
use config::config;
use fencepost::internals::facts::{Liveness, Loops, Spins, Values, refuted, slice};
use fencepost::internals::model::Model;
use fencepost::internals::reference::explore_halts;
use fencepost::internals::search::check;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{
    Addr, BinaryOp, Copies, Expr, Fence, FetchOp, Goal, InstrId, LocId, Observable, Op, Origin,
    Program, ProgramBuilder, PropertyKind, RegId, Site, ThreadId, UnaryOp, Update,
};
use proptest::prelude::*;

const THREADS: u32 = 2;
const CELLS: i32 = 3;
const REGISTERS: u32 = 2;
const LOCATIONS: u32 = 5;

type E = Expr<RegId>;

fn reg() -> BoxedStrategy<RegId> {
    (0..REGISTERS).prop_map(RegId).boxed()
}

fn value() -> BoxedStrategy<E> {
    prop_oneof![
        3 => (0..3).prop_map(Expr::Const),
        2 => reg().prop_map(Expr::Var),
        1 => reg().prop_map(|r| Expr::binary(BinaryOp::BitXor, Expr::Var(r), Expr::Const(1))),
    ]
    .boxed()
}

fn condition() -> BoxedStrategy<E> {
    let op = prop::sample::select(vec![BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Lt, BinaryOp::Ge]);
    prop_oneof![
        4 => (op, reg(), value()).prop_map(|(op, r, v)| Expr::binary(op, Expr::Var(r), v)),
        1 => reg().prop_map(|r| Expr::unary(UnaryOp::Not, Expr::Var(r))),
    ]
    .boxed()
}

fn addr() -> BoxedStrategy<E> {
    prop_oneof![
        8 => (1..=CELLS).prop_map(Expr::Const),
        1 => reg().prop_map(Expr::Var),
        1 => reg().prop_map(|r| Expr::binary(BinaryOp::Add, Expr::Var(r), Expr::Const(1))),
    ]
    .boxed()
}

fn update() -> BoxedStrategy<Update> {
    prop_oneof![
        2 => (value(), value()).prop_map(|(expected, desired)| Update::CompareExchange { expected, desired }),
        2 => value().prop_map(Update::Exchange),
        1 => (0..2).prop_map(|operand| Update::Fetch(FetchOp::Or, Expr::Const(operand))),
    ]
    .boxed()
}

fn op() -> BoxedStrategy<Op> {
    prop_oneof![
        4 => (reg(), addr()).prop_map(|(into, addr)| Op::Load { into, addr }),
        2 => (addr(), value()).prop_map(|(addr, value)| Op::Store { addr, value }),
        3 => (reg(), addr(), update()).prop_map(|(into, addr, update)| Op::Rmw { into, addr, update }),
        5 => condition().prop_map(Op::Assume),
        1 => condition().prop_map(Op::Assert),
        1 => (reg(), value()).prop_map(|(into, value)| Op::Assign { into, value }),
        1 => reg().prop_map(|into| Op::Havoc { into, low: 0, high: 1 }),
        1 => prop::sample::select(vec![Fence::Full, Fence::Store, Fence::All]).prop_map(Op::Fence),
    ]
    .boxed()
}

/// The edges of one thread: most lead to the next location, some anywhere.
fn thread() -> BoxedStrategy<Vec<(u32, Op, u32)>> {
    let straight = prop::collection::vec(op(), (LOCATIONS - 1) as usize);
    let others = prop::collection::vec((0..LOCATIONS - 1, op(), 0..LOCATIONS), 0..4);
    (straight, others)
        .prop_map(|(straight, others)| {
            let straight = (0_u32..).zip(straight).map(|(i, op)| (i, op, i + 1));
            straight.chain(others).collect()
        })
        .boxed()
}

/// The description of a program.
#[derive(Clone, Debug)]
struct Automata {
    threads: Vec<Vec<(u32, Op, u32)>>,
    /// The register, the cell and the value in the properties.
    observed: (u32, i32, i32),
    final_assert: bool,
}

fn automata() -> BoxedStrategy<Automata> {
    let threads = prop::collection::vec(thread(), THREADS as usize);
    let observed = (0..REGISTERS, 1..=CELLS, 0..3);
    (threads, observed, any::<bool>())
        .prop_map(|(threads, observed, final_assert)| Automata {
            threads,
            observed,
            final_assert,
        })
        .boxed()
}

impl Automata {
    fn build(&self) -> Program {
        self.build_without(&[])
    }

    /// The program in which these instructions are executed but not followed by another.
    fn build_without(&self, cut: &[Site]) -> Program {
        let mut builder = ProgramBuilder::new("automata");
        for cell in 1..=CELLS {
            builder.cell(format!("x{cell}"), 0);
        }
        for (i, edges) in self.threads.iter().enumerate() {
            let t = builder.thread(format!("t{i}"), Copies::One, Origin::default());
            for r in 0..REGISTERS {
                builder.register(t, format!("r{r}"), 0);
            }
            for _ in 0..LOCATIONS {
                builder.location(t, Origin::default());
            }
            builder.entry(t, LocId(0));
            let mut stuck = Vec::new();
            for (i, (from, op, to)) in edges.iter().enumerate() {
                let instr = InstrId::from(i);
                let mut to = LocId(*to);
                if cut.contains(&Site { thread: t, instr }) {
                    to = builder.location(t, Origin::default());
                    stuck.push(to);
                }
                builder.instruction(t, LocId(*from), op.clone(), to, Origin::default());
            }
            for loc in stuck {
                let never = Op::Assume(Expr::Const(0));
                builder.instruction(t, loc, never, loc, Origin::default());
            }
        }
        let (register, cell, value) = self.observed;
        let equal =
            |observable| Expr::binary(BinaryOp::Eq, Expr::Var(observable), Expr::Const(value));
        let at = Expr::Var(Observable::At(ThreadId(0), LocId(LOCATIONS - 2)));
        let forbidden = Expr::binary(BinaryOp::And, at, equal(Observable::Cell(Addr(cell))));
        builder.property(PropertyKind::Forbid, forbidden, Origin::default());
        if self.final_assert {
            let register = equal(Observable::Register(ThreadId(1), RegId(register)));
            builder.property(PropertyKind::FinalAssert, register, Origin::default());
        }
        builder.build().expect("automata are well formed")
    }
}

fn budget() -> Budget {
    Budget::default().with_states(3000)
}

/// Whether the goal is reachable; `None` if the budget is exceeded.
fn reaches(program: &Program, model: Model, goal: Goal) -> Option<bool> {
    match check(program, model, goal, &budget()).0 {
        Verdict::Holds => Some(false),
        Verdict::Violated(_) => Some(true),
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => None,
    }
}

/// The back edges that may be cut if this is the only goal.
fn spin_edges(program: &Program, goal: Goal) -> Vec<Site> {
    let values = Values::of(program);
    let liveness = Liveness::for_goals(program, &[goal]);
    let mut cut = Vec::new();
    for thread in program.thread_ids() {
        let loops = Loops::of(program.thread(thread));
        let spins = Spins::of(program, thread, &loops, &values, &liveness);
        let instructions = 0..program.thread(thread).instructions().len();
        let instructions = instructions.map(InstrId::from);
        let edges = instructions.filter(|&instr| spins.is_spin_edge(instr));
        cut.extend(edges.map(|instr| Site { thread, instr }));
    }
    cut
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn every_value_that_occurs_is_in_its_set(automata in automata()) {
        let program = automata.build();
        let values = Values::of(&program);
        for model in Model::ALL {
            for halt in explore_halts(&program, model, &budget()).0 {
                for t in program.thread_ids() {
                    let loc = halt.locations[t.index()];
                    prop_assert!(values.reachable(t, loc));
                    for (r, &value) in halt.registers[t.index()].iter().enumerate() {
                        let set = values.register_at(t, loc, r.into());
                        prop_assert!(set.contains(value), "{model} {t} {r} {value} {set:?}");
                    }
                }
                for (cell, &value) in program.cells().zip(&halt.memory) {
                    prop_assert!(values.cell(cell).contains(value));
                }
            }
        }
    }

    #[test]
    fn a_slice_gives_the_same_answers_as_the_program(automata in automata()) {
        let program = automata.build();
        let values = Values::of(&program);
        for goal in program.goals() {
            let slice = slice(&program, &values, &[goal]);
            for model in Model::ALL {
                let (a, b) = (reaches(&program, model, goal), reaches(&slice, model, goal));
                if let (Some(a), Some(b)) = (a, b) {
                    prop_assert_eq!(a, b, "{} {:?}\n{:?}", model, goal, slice);
                }
            }
        }
    }

    #[test]
    fn cutting_spin_edges_changes_no_answer(automata in automata()) {
        let program = automata.build();
        for goal in program.goals() {
            let cut = spin_edges(&program, goal);
            if cut.is_empty() {
                continue;
            }
            let without = automata.build_without(&cut);
            for model in Model::ALL {
                let (a, b) = (reaches(&program, model, goal), reaches(&without, model, goal));
                if let (Some(a), Some(b)) = (a, b) {
                    prop_assert_eq!(a, b, "{} {:?} {:?}", model, goal, cut);
                }
            }
        }
    }

    #[test]
    fn a_goal_that_the_value_analysis_refutes_is_unreachable(automata in automata()) {
        let program = automata.build();
        let values = Values::of(&program);
        for goal in program.goals() {
            if refuted(&program, &values, goal) {
                for model in Model::ALL {
                    prop_assert_ne!(reaches(&program, model, goal), Some(true));
                }
            }
        }
    }
}

/// The program in which these instructions are executed but not followed by another.
fn without_going_on(program: &Program, cut: &[Site]) -> Program {
    let mut builder = ProgramBuilder::new("cut");
    let initial = program.initial_memory();
    for (cell, &init) in program.cells().zip(initial) {
        builder.cell(format!("x{}", cell.0), init);
    }
    for (t, thread) in program.thread_ids().zip(program.threads()) {
        builder.thread(format!("t{t}"), Copies::One, Origin::default());
        for (r, register) in thread.registers().iter().enumerate() {
            builder.register(t, format!("r{r}"), register.init);
        }
        for _ in thread.locations() {
            builder.location(t, Origin::default());
        }
        builder.entry(t, thread.entry());
        let mut stuck = Vec::new();
        for (i, instruction) in thread.instructions().iter().enumerate() {
            let instr = InstrId::from(i);
            let mut to = instruction.to;
            if cut.contains(&Site { thread: t, instr }) {
                to = builder.location(t, Origin::default());
                stuck.push(to);
            }
            builder.instruction(
                t,
                instruction.from,
                instruction.op.clone(),
                to,
                Origin::default(),
            );
        }
        for loc in stuck {
            let never = Op::Assume(Expr::Const(0));
            builder.instruction(t, loc, never, loc, Origin::default());
        }
    }
    for property in program.properties() {
        builder.property(property.kind, property.predicate.clone(), Origin::default());
    }
    builder.build().expect("as well formed as the original")
}

/// Whether the goal refers to a location that one of these instructions leads to.
fn names_an_end(program: &Program, goal: Goal, edges: &[Site]) -> bool {
    let Goal::Property(index) = goal else {
        return false;
    };
    let vars = program.properties()[index].predicate.vars();
    let mut ends = edges.iter().map(|&edge| {
        let to = program.instruction(edge).to;
        Observable::At(edge.thread, to)
    });
    ends.any(|end| vars.contains(&end))
}

/// Whether the goal is that threads wait forever.
fn is_about_waiting(program: &Program, goal: Goal) -> bool {
    match goal {
        Goal::Property(index) => program.properties()[index].kind.is_about_waiting(),
        Goal::Assert(_) | Goal::Outside(_) => false,
    }
}

/// Both laws on the small programs of `corpus/regress`. Some of these were written for conditions of the
/// analyses that random automata exercise too rarely.
#[test]
fn slices_and_cuts_of_the_regression_programs_give_the_same_answers() {
    let mut compared = 0;
    for (path, program) in regress::programs() {
        let values = Values::of(&program);
        // Whether threads wait is no question about single configurations, which both laws are about.
        let goals = program.goals().into_iter();
        for goal in goals.filter(|&goal| !is_about_waiting(&program, goal)) {
            let sliced = slice(&program, &values, &[goal]);
            let edges = spin_edges(&program, goal);
            let cut = without_going_on(&program, &edges);
            let mut others = vec![("sliced", &sliced)];
            // A thread that has taken a cut edge is at a new location, which is visible to a property
            // that names the end of that edge.
            if !names_an_end(&program, goal, &edges) {
                others.push(("cut", &cut));
            }
            for model in Model::ALL {
                let whole = reaches(&program, model, goal);
                for &(what, other) in &others {
                    let part = reaches(other, model, goal);
                    if whole.is_some() && part.is_some() {
                        assert_eq!(part, whole, "{} {what} {model} {goal:?}", path.display());
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 200, "only {compared} comparisons");
}
