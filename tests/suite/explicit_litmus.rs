//! Litmus tests against the step-by-step reference, with numbers computed by hand.
//!
//! Each test states the number of final states under SC, TSO, PSO and PGAS, in this order.

use crate::support::lists::{builder, cells_fence};
use fencepost::internals::model::Model;
use fencepost::internals::reference::{
    Action, Buffered, Buffers, Relation, Run, Shape, Step, explore, replay,
};
use fencepost::internals::search::{check, check_all};
use fencepost::internals::verdict::{Budget, Reason, Verdict};
use fencepost::program::{
    Addr, BinaryOp, Copies, Expr, Fence, FetchOp, Goal, InstrId, LocId, Observable, Op, Origin,
    Program, ProgramBuilder, PropertyKind, RegId, Site, ThreadId, Update,
};

const X: i32 = 1;
const Y: i32 = 2;
const Z: i32 = 3;

fn store(cell: i32, value: i32) -> Op {
    Op::Store {
        addr: Expr::Const(cell),
        value: Expr::Const(value),
    }
}

fn load(reg: u32, cell: i32) -> Op {
    Op::Load {
        into: RegId(reg),
        addr: Expr::Const(cell),
    }
}

fn locked(reg: u32, cell: i32, update: Update) -> Op {
    Op::Rmw {
        into: RegId(reg),
        addr: Expr::Const(cell),
        update,
    }
}

fn exchange(reg: u32, cell: i32, value: i32) -> Op {
    locked(reg, cell, Update::Exchange(Expr::Const(value)))
}

fn reg_is(reg: u32, value: i32) -> Expr<RegId> {
    Expr::binary(BinaryOp::Eq, Expr::Var(RegId(reg)), Expr::Const(value))
}

const FULL: Op = Op::Fence(Fence::Full);
const STORE_FENCE: Op = Op::Fence(Fence::Store);

fn program(threads: &[Vec<Op>]) -> Program {
    builder(threads)
        .build()
        .expect("a litmus test is a program")
}

fn numbers(threads: &[Vec<Op>]) -> [usize; 4] {
    let program = program(threads);
    Model::ALL.map(|model| {
        let exploration = explore(&program, model, &Budget::default());
        assert_eq!(exploration.incomplete, None);
        exploration.finals.len()
    })
}

/// A register of a thread, or a cell, with its final value.
enum End {
    Reg(u32, u32, i32),
    Cell(i32, i32),
}
use End::{Cell, Reg};

/// A run with these final values, if there is one.
fn observe(threads: &[Vec<Op>], model: Model, ends: &[End]) -> Option<Run> {
    let mut builder = builder(threads);
    let predicate = ends
        .iter()
        .map(|end| {
            let (observable, value) = match *end {
                Reg(thread, reg, value) => {
                    (Observable::Register(ThreadId(thread), RegId(reg)), value)
                }
                Cell(cell, value) => (Observable::Cell(Addr(cell)), value),
            };
            Expr::binary(BinaryOp::Eq, Expr::Var(observable), Expr::Const(value))
        })
        .reduce(|a, b| Expr::binary(BinaryOp::And, a, b))
        .expect("some condition");
    builder.property(PropertyKind::Exists, predicate, Origin::default());
    let program = builder.build().expect("a litmus test is a program");
    let (verdict, _) = check(&program, model, Goal::Property(0), &Budget::default());
    match verdict {
        Verdict::Violated(steps) => {
            let run = replay(&program, model, &steps).expect("evidence replays");
            assert!(run.reached.contains(&Goal::Property(0)));
            Some(run)
        }
        Verdict::Holds => None,
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => panic!("{verdict:?}"),
    }
}

fn shape(threads: &[Vec<Op>], model: Model, ends: &[End]) -> Option<Shape> {
    observe(threads, model, ends)?.happens_before().shape()
}

fn sb() -> Vec<Vec<Op>> {
    vec![vec![store(X, 1), load(0, Y)], vec![store(Y, 1), load(0, X)]]
}

fn mp() -> Vec<Vec<Op>> {
    vec![vec![store(X, 1), store(Y, 1)], vec![load(0, Y), load(1, X)]]
}

fn between(mut threads: Vec<Vec<Op>>, thread: usize, op: Op) -> Vec<Vec<Op>> {
    threads[thread].insert(1, op);
    threads
}

#[test]
fn the_classic_tests_have_these_numbers_of_final_states() {
    assert_eq!(numbers(&sb()), [3, 4, 4, 4]);
    assert_eq!(numbers(&mp()), [3, 3, 4, 4]);
    let lb = [vec![load(0, X), store(Y, 1)], vec![load(0, Y), store(X, 1)]];
    assert_eq!(numbers(&lb), [3, 3, 3, 3]);
    let two_plus_two = [
        vec![store(X, 1), store(Y, 2)],
        vec![store(Y, 1), store(X, 2)],
    ];
    assert_eq!(numbers(&two_plus_two), [3, 3, 4, 4]);
    let r = [
        vec![store(X, 1), store(Y, 1)],
        vec![store(Y, 2), load(0, X)],
    ];
    assert_eq!(numbers(&r), [3, 4, 4, 4]);
    let s = [
        vec![store(X, 2), store(Y, 1)],
        vec![load(0, Y), store(X, 1)],
    ];
    assert_eq!(numbers(&s), [3, 3, 4, 4]);
    let iriw = [
        vec![store(X, 1)],
        vec![store(Y, 1)],
        vec![load(0, X), load(1, Y)],
        vec![load(0, Y), load(1, X)],
    ];
    assert_eq!(numbers(&iriw), [15, 15, 15, 15]);
    let wrc = [
        vec![store(X, 1)],
        vec![load(0, X), store(Y, 1)],
        vec![load(0, Y), load(1, X)],
    ];
    assert_eq!(numbers(&wrc), [7, 7, 7, 7]);
}

#[test]
fn every_model_is_coherent() {
    let corr = [vec![store(X, 1)], vec![load(0, X), load(1, X)]];
    assert_eq!(numbers(&corr), [3, 3, 3, 3]);
    let cowr = [vec![store(X, 1), load(0, X)], vec![store(X, 2)]];
    assert_eq!(numbers(&cowr), [3, 3, 3, 3]);
    let coww = [vec![store(X, 1), store(X, 2)]];
    assert_eq!(numbers(&coww), [1, 1, 1, 1]);
    // The second load reads memory, the first its own buffer: forwarding hides nothing.
    let forwarding = [
        vec![store(X, 1), load(0, X), load(1, Y)],
        vec![store(Y, 1), load(0, Y), load(1, X)],
    ];
    assert_eq!(numbers(&forwarding), [3, 4, 4, 4]);
}

#[test]
fn each_kind_of_fence_orders_what_it_should() {
    let fence_both = |op: Op| between(between(sb(), 0, op.clone()), 1, op);
    assert_eq!(numbers(&fence_both(FULL)), [3, 3, 3, 3]);
    assert_eq!(numbers(&between(sb(), 0, FULL)), [3, 4, 4, 4]);
    assert_eq!(numbers(&fence_both(STORE_FENCE)), [3, 4, 4, 4]);
    assert_eq!(numbers(&fence_both(cells_fence(X))), [3, 4, 4, 4]);
    assert_eq!(numbers(&between(mp(), 0, FULL)), [3, 3, 3, 3]);
    assert_eq!(numbers(&between(mp(), 0, STORE_FENCE)), [3, 3, 3, 3]);
    assert_eq!(numbers(&between(mp(), 0, cells_fence(X))), [3, 3, 3, 3]);
    assert_eq!(numbers(&between(mp(), 0, cells_fence(Y))), [3, 3, 4, 4]);
    // One barrier suffices for both threads: it waits until the other thread's buffer is empty, too.
    let all = Op::Fence(Fence::All);
    assert_eq!(numbers(&between(sb(), 1, all)), [3, 3, 3, 3]);
}

#[test]
fn a_fence_on_one_cell_orders_later_stores_to_all_cells() {
    // Where the stores arrive in program order, the loads of z, y, x see 000, 001, 011 or 111;
    // where z overtakes y, but not x, also 101.
    let threads = [
        vec![store(X, 1), cells_fence(X), store(Y, 1), store(Z, 1)],
        vec![load(2, Z), load(1, Y), load(0, X)],
    ];
    assert_eq!(numbers(&threads), [4, 4, 5, 5]);
}

#[test]
fn locked_instructions_are_atomic_and_drain_the_buffer() {
    let swapped = [
        vec![exchange(1, X, 1), load(0, Y)],
        vec![exchange(1, Y, 1), load(0, X)],
    ];
    assert_eq!(numbers(&swapped), [3, 3, 3, 3]);
    // A locked instruction on another cell is a fence, too.
    let elsewhere = between(between(sb(), 0, exchange(1, Z, 1)), 1, exchange(1, Z, 2));
    // The thread that accesses z second finds the first thread's store in memory and reads 1; the
    // first thread reads 0 or 1.
    assert_eq!(numbers(&elsewhere), [4, 4, 4, 4]);
    let add = || locked(0, X, Update::Fetch(FetchOp::Add, Expr::Const(1)));
    assert_eq!(numbers(&[vec![add()], vec![add()]]), [2, 2, 2, 2]);
    let compare = |desired| {
        let (expected, desired) = (Expr::Const(0), Expr::Const(desired));
        locked(0, X, Update::CompareExchange { expected, desired })
    };
    let race = [vec![compare(1)], vec![compare(2)]];
    assert_eq!(numbers(&race), [2, 2, 2, 2]);
}

fn increment() -> Vec<Op> {
    let value = Expr::binary(BinaryOp::Add, Expr::Var(RegId(0)), Expr::Const(1));
    let addr = Expr::Const(X);
    vec![load(0, X), Op::Store { addr, value }]
}

fn atomic(body: Vec<Op>) -> Vec<Op> {
    let mut ops = vec![Op::AtomicBegin];
    ops.extend(body);
    ops.push(Op::AtomicEnd);
    ops
}

#[test]
fn no_thread_acts_inside_another_threads_atomic_block() {
    assert_eq!(numbers(&[increment(), increment()]), [3, 3, 3, 3]);
    let both = [atomic(increment()), atomic(increment())];
    assert_eq!(numbers(&both), [2, 2, 2, 2]);
    let stores = atomic(vec![store(X, 1), store(Y, 1)]);
    let loads = vec![load(0, Y), load(1, X)];
    assert_eq!(numbers(&[stores.clone(), loads.clone()]), [3, 3, 3, 3]);
    assert_eq!(numbers(&[stores, atomic(loads)]), [2, 2, 2, 2]);
    // Entering a block drains the thread's own buffer.
    let entering = between(between(sb(), 0, Op::AtomicBegin), 1, Op::AtomicBegin);
    let entering: Vec<Vec<Op>> = entering
        .into_iter()
        .map(|mut ops| {
            ops.push(Op::AtomicEnd);
            ops
        })
        .collect();
    assert_eq!(numbers(&entering), [3, 3, 3, 3]);
}

#[test]
fn an_assertion_does_not_block_whatever_its_value() {
    let threads = [vec![load(0, X), Op::Assert(reg_is(0, 1)), store(Y, 1)]];
    let program = program(&threads);
    assert_eq!(numbers(&threads), [1, 1, 1, 1]);
    let goal = Goal::Assert(Site {
        thread: ThreadId(0),
        instr: InstrId(1),
    });
    for model in Model::ALL {
        let (verdict, _) = check(&program, model, goal, &Budget::default());
        let Verdict::Violated(steps) = verdict else {
            panic!("x is 0");
        };
        assert_eq!(steps.len(), 2, "nothing after the assertion is needed");
        let run = replay(&program, model, &steps).expect("evidence replays");
        assert_eq!(run.reached, [goal]);
    }
}

#[test]
fn a_failing_assertion_ends_a_computation_inside_an_atomic_block() {
    // t0 can see y = 0 after z = 1 only while t1 still buffers its store to y, and it never
    // leaves its block, so that t1 cannot drain.
    let stale = Expr::binary(BinaryOp::And, reg_is(0, 1), reg_is(1, 0));
    let fine = Expr::binary(BinaryOp::Eq, stale, Expr::Const(0));
    let block = atomic(vec![
        load(0, Z),
        load(1, Y),
        Op::Assert(fine),
        Op::Assume(Expr::Const(0)),
    ]);
    let program = program(&[block, vec![store(Y, 1), store(Z, 1)]]);
    let goal = Goal::Assert(Site {
        thread: ThreadId(0),
        instr: InstrId(3),
    });
    for (model, reachable) in Model::ALL.into_iter().zip([false, false, true, true]) {
        let (verdict, _) = check(&program, model, goal, &Budget::default());
        match verdict {
            Verdict::Violated(mut steps) => {
                assert!(reachable);
                let run = replay(&program, model, &steps).expect("evidence replays");
                assert_eq!(run.reached, [goal]);
                let mut left = Buffers::default();
                run.moments.iter().for_each(|moment| left.advance(moment));
                assert!(matches!(
                    left.of(ThreadId(1)),
                    [Buffered::Store { addr: Addr(Y), .. }]
                ));
                steps.pop();
                let early = replay(&program, model, &steps).expect_err("stops in the block");
                assert_eq!(early.at, steps.len());
            }
            Verdict::Holds => assert!(!reachable, "{model}"),
            Verdict::HoldsWithin(_) | Verdict::Unknown(_) => panic!("{verdict:?}"),
        }
    }
}

#[test]
fn an_access_outside_shared_memory_is_never_executed() {
    let wild = Op::Load {
        into: RegId(1),
        addr: Expr::Var(RegId(0)),
    };
    let threads = [vec![load(0, X), wild], vec![store(X, Y)]];
    // t0 proceeds only if it loads the address that t1 stores.
    assert_eq!(numbers(&threads), [1, 1, 1, 1]);
    let program = program(&threads);
    let goal = Goal::Outside(Site {
        thread: ThreadId(0),
        instr: InstrId(1),
    });
    assert_eq!(program.goals(), [goal]);
    let (verdict, _) = check(&program, Model::Tso, goal, &Budget::default());
    let Verdict::Violated(steps) = verdict else {
        panic!("x may still be 0");
    };
    assert_eq!(steps.len(), 1);
}

#[test]
fn a_lightweight_fence_does_not_wait_for_a_flush() {
    // Both stores are still buffered when t0, after its fence, loads z.
    let both = Op::Fence(Fence::Cells(vec![Addr(X), Addr(Y)]));
    for fence in [STORE_FENCE, both] {
        let threads = [
            vec![store(X, 1), store(Y, 1), fence, load(0, Z)],
            vec![store(Z, 1), FULL, load(0, X), load(1, Y)],
        ];
        let ends = [Reg(0, 0, 0), Reg(1, 0, 0), Reg(1, 1, 0)];
        for model in [Model::Tso, Model::Pso, Model::Pgas] {
            assert!(observe(&threads, model, &ends).is_some(), "{model}");
        }
        assert!(observe(&threads, Model::Sc, &ends).is_none());
    }
}

#[test]
fn the_search_does_not_skip_states_that_a_property_observes() {
    let assign = |value| Op::Assign {
        into: RegId(0),
        value: Expr::Const(value),
    };
    let threads = [vec![assign(1), assign(2)], vec![store(X, 1)]];
    let t0 = ThreadId(0);
    let conditions = [
        (Observable::Register(t0, RegId(0)), 0),
        (Observable::Register(t0, RegId(0)), 1),
        (Observable::At(t0, LocId(0)), 1),
        (Observable::At(t0, LocId(1)), 1),
        (Observable::At(t0, LocId(2)), 0),
    ];
    let mut builder = builder(&threads);
    let is =
        |observable, value| Expr::binary(BinaryOp::Eq, Expr::Var(observable), Expr::Const(value));
    for (observable, value) in conditions {
        let stored = is(Observable::Cell(Addr(X)), 1);
        let predicate = Expr::binary(BinaryOp::And, is(observable, value), stored);
        builder.property(PropertyKind::Forbid, predicate, Origin::default());
    }
    let program = builder.build().expect("a litmus test is a program");
    for goal in program.goals() {
        let (verdict, _) = check(&program, Model::Tso, goal, &Budget::default());
        assert!(matches!(verdict, Verdict::Violated(_)), "{goal:?}");
    }
}

#[test]
fn replay_is_strict() {
    let program = program(&mp());
    let execute = |thread, instr| Step::Execute {
        thread: ThreadId(thread),
        instr: InstrId(instr),
        choice: None,
    };
    let flush = |cell| Step::Flush {
        thread: ThreadId(0),
        addr: Addr(cell),
    };
    let at = |model, steps: &[Step]| {
        replay(&program, model, steps)
            .map_err(|error| error.at)
            .err()
    };
    let issued = [execute(0, 0), execute(0, 1)];
    assert_eq!(at(Model::Sc, &issued), None);
    assert_eq!(at(Model::Tso, &issued), Some(2), "still buffered");
    let out_of_order = [execute(0, 0), execute(0, 1), flush(Y), flush(X)];
    assert_eq!(at(Model::Tso, &out_of_order), Some(2));
    assert_eq!(at(Model::Pso, &out_of_order), None);
    assert_eq!(at(Model::Pgas, &out_of_order), Some(2), "not in the FIFO");
    let in_order = [execute(0, 0), execute(0, 1), flush(X), flush(Y)];
    assert_eq!(at(Model::Tso, &in_order), None);
    assert_eq!(at(Model::Sc, &in_order), Some(2), "nothing is buffered");
    assert_eq!(at(Model::Tso, &[execute(0, 1)]), Some(0), "elsewhere");
    assert_eq!(at(Model::Tso, &[execute(7, 0)]), Some(0), "no such thread");
    assert_eq!(
        at(Model::Tso, &[execute(0, 9)]),
        Some(0),
        "no such instruction"
    );
}

#[test]
fn stores_do_not_pass_waiting_fences_nor_fences_stores_to_their_cells() {
    let program = program(&[vec![
        store(X, 1),
        store(Z, 1),
        cells_fence(X),
        store(Y, 1),
        STORE_FENCE,
        store(X, 2),
    ]]);
    let thread = ThreadId(0);
    let flush = |cell| Step::Flush {
        thread,
        addr: Addr(cell),
    };
    let retire = Step::Retire { thread };
    let issued = (0..6).map(|instr| Step::Execute {
        thread,
        instr: InstrId(instr),
        choice: None,
    });
    let refused = |moves: &[Step]| {
        let steps: Vec<Step> = issued.clone().chain(moves.iter().copied()).collect();
        replay(&program, Model::Pso, &steps)
            .map_err(|error| error.at - 6)
            .err()
    };
    let y_first = [flush(Y)];
    assert_eq!(refused(&y_first), Some(0), "y is after the first fence");
    assert_eq!(refused(&[retire]), Some(0), "x is older than its fence");
    let z_alone = [flush(Z), retire];
    assert_eq!(refused(&z_alone), Some(1), "z is not the fence's cell");
    let second_x = [flush(X), flush(X)];
    assert_eq!(refused(&second_x), Some(1), "the newer x is after both");
    let second_fence = [flush(X), retire, retire];
    assert_eq!(refused(&second_fence), Some(2), "y and z are older");
    let y_and_no_z = [flush(X), retire, flush(Y), retire];
    assert_eq!(refused(&y_and_no_z), Some(3), "z is older");
    let last_x = [flush(X), retire, flush(X)];
    assert_eq!(refused(&last_x), Some(2), "after the second fence");
    // z may leave the buffer even after y; the fence on x orders y only after x.
    let all = [flush(X), retire, flush(Y), flush(Z), retire, flush(X)];
    assert_eq!(refused(&all), None);
}

#[test]
fn the_framework_moves_stores_and_fences_one_by_one() {
    let program = program(&[vec![store(X, 1), cells_fence(X), store(Y, 1)]]);
    let thread = ThreadId(0);
    let execute = |instr| Step::Execute {
        thread,
        instr: InstrId(instr),
        choice: None,
    };
    let advance = |cell| Step::Advance {
        thread,
        addr: Addr(cell),
    };
    let flush = |cell| Step::Flush {
        thread,
        addr: Addr(cell),
    };
    let early = replay(&program, Model::Pgas, &[execute(0), execute(1)]);
    assert_eq!(early.map_err(|error| error.at), Err(1), "x has to advance");
    let steps = [
        execute(0),
        advance(X),
        execute(1),
        execute(2),
        advance(Y),
        flush(X),
        Step::Retire { thread },
        flush(Y),
    ];
    let run = replay(&program, Model::Pgas, &steps).expect("a computation");
    let sites: Vec<u32> = run
        .moments
        .iter()
        .map(|moment| moment.site.instr.0)
        .collect();
    assert_eq!(sites, [0, 0, 1, 2, 2, 0, 1, 2]);
    let mut buffers = Buffers::default();
    let size = |moment| {
        buffers.advance(moment);
        buffers.of(ThreadId(0)).len()
    };
    let sizes: Vec<usize> = run.moments.iter().map(size).collect();
    assert_eq!(sizes, [1, 1, 2, 3, 3, 2, 1, 0]);
    assert_eq!(run.moments[6].action, Action::Retire);
    assert_eq!(run.end.memory, [1, 1, 0]);
}

#[test]
fn cycles_have_the_names_of_the_literature() {
    let named = |name| Some(Shape::Named(name));
    let stale = [Reg(0, 0, 0), Reg(1, 0, 0)];
    assert_eq!(shape(&sb(), Model::Tso, &stale), named("SB"));
    assert_eq!(shape(&sb(), Model::Sc, &stale), None);
    let stale = [Reg(1, 0, 1), Reg(1, 1, 0)];
    assert_eq!(shape(&mp(), Model::Pso, &stale), named("MP"));
    assert!(observe(&mp(), Model::Tso, &stale).is_none());
    let r = [
        vec![store(X, 1), store(Y, 1)],
        vec![store(Y, 2), load(0, X)],
    ];
    let ends = [Cell(Y, 2), Reg(1, 0, 0)];
    assert_eq!(shape(&r, Model::Tso, &ends), named("R"));
    let s = [
        vec![store(X, 2), store(Y, 1)],
        vec![load(0, Y), store(X, 1)],
    ];
    let ends = [Cell(X, 2), Reg(1, 0, 1)];
    assert_eq!(shape(&s, Model::Pso, &ends), named("S"));
    let two_plus_two = [
        vec![store(X, 1), store(Y, 2)],
        vec![store(Y, 1), store(X, 2)],
    ];
    let ends = [Cell(X, 1), Cell(Y, 1)];
    assert_eq!(shape(&two_plus_two, Model::Pgas, &ends), named("2+2W"));
    let rwc = [
        vec![store(X, 1)],
        vec![load(0, X), load(1, Y)],
        vec![store(Y, 1), load(0, X)],
    ];
    let ends = [Reg(1, 0, 1), Reg(1, 1, 0), Reg(2, 0, 0)];
    assert_eq!(shape(&rwc, Model::Tso, &ends), named("RWC"));
    let isa2 = [
        vec![store(X, 1), store(Y, 1)],
        vec![load(0, Y), store(Z, 1)],
        vec![load(0, Z), load(1, X)],
    ];
    let ends = [Reg(1, 0, 1), Reg(2, 0, 1), Reg(2, 1, 0)];
    assert_eq!(shape(&isa2, Model::Pso, &ends), named("ISA2"));
    let wrwc = [
        vec![store(X, 1), store(Y, 1)],
        vec![load(0, Y), load(1, Z)],
        vec![store(Z, 1), load(0, X)],
    ];
    let ends = [Reg(1, 0, 1), Reg(1, 1, 0), Reg(2, 0, 0)];
    assert_eq!(shape(&wrwc, Model::Tso, &ends), named("W+RWC"));
    let three = [
        vec![store(X, 1), load(0, Y)],
        vec![store(Y, 1), load(0, Z)],
        vec![store(Z, 1), load(0, X)],
    ];
    let ends = [Reg(0, 0, 0), Reg(1, 0, 0), Reg(2, 0, 0)];
    assert_eq!(shape(&three, Model::Tso, &ends), named("3.SB"));
}

#[test]
fn a_happens_before_relation_can_be_cyclic_because_of_an_atomic_block_alone() {
    // t0 forwards y = 1 to itself, then reads x before t1's block stores to it; t1's block reads
    // y before t0's store arrives. Between single accesses there is no cycle: t1's load of y comes
    // after its store to x only because both are in one block.
    let threads = [
        vec![store(Y, 1), load(0, X)],
        atomic(vec![load(0, Y), store(X, 1)]),
    ];
    let ends = [Reg(0, 0, 0), Reg(1, 0, 0)];
    let run = observe(&threads, Model::Tso, &ends).expect("t0 delays its store");
    let cycle = run.happens_before().cycle().expect("the block is one node");
    let relations: Vec<Relation> = cycle.iter().map(|&(_, relation)| relation).collect();
    assert!(relations.contains(&Relation::Block));
    assert_eq!(run.happens_before().shape(), Some(Shape::Cycle(2)));
    assert!(observe(&threads, Model::Sc, &ends).is_none());
    let unblocked = [threads[0].clone(), vec![load(0, Y), store(X, 1)]];
    assert!(observe(&unblocked, Model::Sc, &ends).is_some());
}

/// Peterson's algorithm in endless loops, with one instruction between the stores to the flag and the
/// turn, and one before the loads.
fn peterson(between: &Op, before_loads: &Op) -> Program {
    let origin = Origin::default();
    let mut builder = ProgramBuilder::new("peterson");
    let flags = [builder.cell("flag0", 0), builder.cell("flag1", 0)];
    let turn = builder.cell("turn", 0);
    let mut critical = Vec::new();
    for me in 0..2usize {
        let thread = builder.thread(format!("t{me}"), Copies::One, origin);
        let reg = builder.register(thread, "r", 0);
        let locs: Vec<LocId> = (0..8).map(|_| builder.location(thread, origin)).collect();
        let other = 1 - me as i32;
        let mut edge = |from: usize, op: Op, to: usize| {
            builder.instruction(thread, locs[from], op, locs[to], origin);
        };
        let is = |value| Expr::binary(BinaryOp::Eq, Expr::Var(reg), Expr::Const(value));
        edge(0, store(flags[me].0, 1), 1);
        edge(1, between.clone(), 7);
        edge(7, store(turn.0, other), 2);
        edge(2, before_loads.clone(), 3);
        edge(3, load(reg.0, flags[1 - me].0), 4);
        edge(4, Op::Assume(is(0)), 6);
        edge(4, Op::Assume(is(1)), 5);
        edge(6, store(flags[me].0, 0), 0);
        let again = builder.location(thread, origin);
        let mut edge = |from: LocId, op: Op, to: LocId| {
            builder.instruction(thread, from, op, to, origin);
        };
        edge(locs[5], load(reg.0, turn.0), again);
        edge(again, Op::Assume(is(me as i32)), locs[6]);
        edge(again, Op::Assume(is(other)), locs[3]);
        builder.entry(thread, locs[0]);
        critical.push(Expr::Var(Observable::At(thread, locs[6])));
    }
    let both = Expr::binary(BinaryOp::And, critical[0].clone(), critical[1].clone());
    builder.property(PropertyKind::Forbid, both, origin);
    builder.build().expect("Peterson is a program")
}

#[test]
fn petersons_algorithm_in_a_loop_needs_its_fence_under_tso() {
    let goal = [Goal::Property(0)];
    let budget = Budget::default();
    let fenced = check_all(&peterson(&Op::Skip, &FULL), Model::Tso, &goal, &budget);
    assert_eq!(fenced.verdicts, [(goal[0], Verdict::Holds)]);
    assert!(fenced.states < 5000, "{}", fenced.states);
    assert_eq!(fenced.executed.len(), 22);
    assert!(fenced.complete);
    let plain = peterson(&Op::Skip, &Op::Skip);
    let (verdict, _) = check(&plain, Model::Tso, goal[0], &budget);
    let Verdict::Violated(steps) = verdict else {
        panic!("both threads enter");
    };
    let run = replay(&plain, Model::Tso, &steps).expect("evidence replays");
    assert_eq!(run.reached, goal);
    // Either both flags are delayed, or one thread's turn: the search may find either first.
    let shape = run.happens_before().shape();
    let shapes = [Some(Shape::Named("SB")), Some(Shape::Named("R"))];
    assert!(shapes.contains(&shape), "{shape:?}");
    let (sc, _) = check(&plain, Model::Sc, goal[0], &budget);
    assert_eq!(sc, Verdict::Holds);
}

#[test]
fn petersons_algorithm_in_a_loop_needs_another_fence_under_pso() {
    // The turn may reach memory before the flag and be overwritten by the other thread, which does not
    // see the flag and enters. Then the flag reaches memory, and the turn lets the first thread enter.
    let goal = Goal::Property(0);
    let budget = Budget::default();
    for model in [Model::Pso, Model::Pgas] {
        let one = peterson(&Op::Skip, &FULL);
        let (verdict, _) = check(&one, model, goal, &budget);
        let Verdict::Violated(steps) = verdict else {
            panic!("both threads enter");
        };
        let run = replay(&one, model, &steps).expect("evidence replays");
        assert_eq!(run.happens_before().shape(), Some(Shape::Named("R")));
        let (verdict, states) = check(&peterson(&STORE_FENCE, &FULL), model, goal, &budget);
        assert_eq!(verdict, Verdict::Holds);
        assert!(states < 5000, "{states}");
    }
}

#[test]
fn a_search_that_cannot_finish_says_why() {
    let origin = Origin::default();
    let mut builder = ProgramBuilder::new("endless");
    let cell = builder.cell("x", 0);
    let thread = builder.thread("t", Copies::One, origin);
    let loc = builder.location(thread, origin);
    builder.entry(thread, loc);
    builder.instruction(thread, loc, store(cell.0, 1), loc, origin);
    builder.property(PropertyKind::Forbid, Expr::Const(0), origin);
    let program = builder.build().expect("an endless program");
    let budget = Budget::default().with_states(100);
    let (verdict, states) = check(&program, Model::Tso, Goal::Property(0), &budget);
    assert_eq!(verdict, Verdict::Unknown(Reason::StateBudget(100)));
    assert!(states <= 101);
    let (verdict, _) = check(&program, Model::Sc, Goal::Property(0), &budget);
    assert_eq!(verdict, Verdict::Holds);
    let exploration = explore(&program, Model::Pso, &budget);
    assert_eq!(exploration.incomplete, Some(Reason::StateBudget(100)));
}

#[test]
fn a_choice_too_wide_to_follow_hides_no_other_thread() {
    let wide = Op::Havoc {
        into: RegId(0),
        low: 0,
        high: 1_000_000,
    };
    let failing = Op::Assert(Expr::Const(0));
    let program = builder(&[vec![wide], vec![failing]])
        .build()
        .expect("two threads of one instruction");
    let goals = program.goals();
    for model in Model::ALL {
        let answers = check_all(&program, model, &goals, &Budget::default());
        let [(_, Verdict::Violated(steps))] = &answers.verdicts[..] else {
            panic!("{model}: {:?}", answers.verdicts);
        };
        assert_eq!(steps.len(), 1);
    }
}
