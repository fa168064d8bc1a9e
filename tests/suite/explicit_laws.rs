//! Laws of the step-by-step reference on random programs.
//!
//! The laws relate the memory models, programs with and without a fence, and the search to the exploration.

use crate::support::{config, random};
use config::config;
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::reference::{
    Buffers, EventId, Halt, HappensBefore, Relation, Run, Step, explore, explore_halts, replay,
};
use fencepost::internals::search::{Answers, Reduction, check_all_with};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Goal, Observable, Program, Site};
use proptest::prelude::*;
use random::{Kind, Shape, Sketch, Stmt, sketch};
use std::collections::BTreeSet;
use std::fmt::Write as _;

fn finals(program: &Program, model: Model) -> BTreeSet<Halt> {
    let exploration = explore(program, model, &Budget::default());
    assert_eq!(exploration.incomplete, None);
    exploration.finals
}

/// Final memory and registers, which are comparable between programs with different locations.
fn values(sketch: &Sketch, model: Model) -> BTreeSet<(Vec<Vec<i32>>, Vec<i32>)> {
    finals(&sketch.build(), model)
        .into_iter()
        .map(|halt| (halt.registers, halt.memory))
        .collect()
}

fn search(program: &Program, model: Model, goals: &[Goal], reduction: Reduction) -> Answers {
    check_all_with(program, model, goals, reduction, &Budget::default())
}

/// A computation that follows a schedule: each number picks one of the possible steps, or if stores are
/// delayed and it is not a multiple of four, one of those that execute an instruction. At the end the
/// buffers are drained; `None` if a thread is then inside an atomic block.
fn walk(program: &Program, model: Model, schedule: &[usize], delays: bool) -> Option<Run> {
    let fits = |steps: &[Step]| match replay(program, model, steps) {
        Ok(_) => true,
        Err(error) => error.at == steps.len(),
    };
    let mut steps: Vec<Step> = Vec::new();
    let mut extend = |pick: usize, candidates: &[Step]| {
        let possible: Vec<Step> = candidates
            .iter()
            .copied()
            .filter(|&step| {
                steps.push(step);
                let fits = fits(&steps);
                steps.pop();
                fits
            })
            .collect();
        let chosen = possible.get(pick % possible.len().max(1)).copied();
        steps.extend(chosen);
        chosen.is_some()
    };
    let moves: Vec<Step> = program
        .thread_ids()
        .flat_map(|thread| {
            let cells = program.cells();
            cells
                .flat_map(move |addr| {
                    [Step::Advance { thread, addr }, Step::Flush { thread, addr }]
                })
                .chain([Step::Retire { thread }])
        })
        .collect();
    let mut all: Vec<Step> = program
        .sites()
        .flat_map(|(Site { thread, instr }, _)| {
            [None, Some(0), Some(1)].map(|choice| Step::Execute {
                thread,
                instr,
                choice,
            })
        })
        .collect();
    let executing = all.clone();
    all.extend(&moves);
    for &pick in schedule {
        if !(delays && pick % 4 > 0 && extend(pick, &executing)) {
            extend(pick, &all);
        }
    }
    while extend(0, &moves) {}
    replay(program, model, &steps).ok()
}

/// Whether the immediate edges, without those of blocks, have a cycle: after repeatedly removing nodes
/// without predecessors, some node remains.
fn has_a_cycle_access_by_access(hb: &HappensBefore) -> bool {
    let mut left: BTreeSet<u32> = (0..hb.events.len() as u32).collect();
    loop {
        let first = left.iter().copied().find(|&event| {
            !hb.edges
                .iter()
                .any(|edge| edge.to.0 == event && left.contains(&edge.from.0))
        });
        match first {
            Some(event) => left.remove(&event),
            None => return !left.is_empty(),
        };
    }
}

/// The fewest steps with which one comes back to a node, where an atomic block is one node and the
/// relations are closed under transitivity; from the definitions of the relations, by ever more
/// steps from each node.
fn girth(hb: &HappensBefore) -> Option<usize> {
    let ids: Vec<EventId> = (0..hb.events.len() as u32).map(EventId).collect();
    let node = |id: EventId| match hb.event(id).block {
        None => id,
        Some(block) => ids
            .iter()
            .copied()
            .find(|&other| hb.event(other).block == Some(block))
            .expect("the access itself is in it"),
    };
    let rank = |id: EventId| {
        let stores = &hb.coherence[hb.event(id).addr.index()];
        stores.iter().position(|&store| store == id)
    };
    let before = |a: EventId, b: EventId| {
        let same_cell = hb.event(a).addr == hb.event(b).addr;
        let (rank_a, rank_b) = (rank(a), rank(b));
        let read_rank = hb.source[a.index()].map(rank);
        let reads = hb.event(a).loaded.is_some();
        (hb.thread(a) == hb.thread(b) && a < b)
            || hb.source[b.index()] == Some(a)
            || (same_cell && rank_a.is_some() && rank_b.is_some() && rank_a < rank_b)
            || (same_cell && reads && rank_b.is_some() && read_rank.flatten() < rank_b)
    };
    let steps: BTreeSet<(EventId, EventId)> = ids
        .iter()
        .flat_map(|&a| ids.iter().map(move |&b| (a, b)))
        .filter(|&(a, b)| node(a) != node(b) && before(a, b))
        .map(|(a, b)| (node(a), node(b)))
        .collect();
    let returns = |start: EventId| {
        let mut at = BTreeSet::from([start]);
        (1..=ids.len()).find(|_| {
            let next = steps.iter().filter(|(from, _)| at.contains(from));
            at = next.map(|&(_, to)| to).collect();
            at.contains(&start)
        })
    };
    ids.iter().filter_map(|&id| returns(node(id))).min()
}

/// Threads that load and store a few cells one after the other, sometimes in atomic blocks: many of their
/// computations with delays have cycles of several lengths.
fn accesses() -> impl Strategy<Value = Program> {
    let access = (0..9_u8, 0..3_usize);
    let thread = prop::collection::vec(access, 2..6);
    prop::collection::vec(thread, 2..5).prop_map(|threads| {
        let mut text = "shared x, y, z;\n".to_owned();
        for (thread, accesses) in threads.iter().enumerate() {
            let statements = accesses.iter().map(|&(kind, cell)| {
                let cell = ["x", "y", "z"][cell];
                match kind {
                    0..4 => format!("r = {cell};"),
                    4..8 => format!("{cell} = {};", thread + 1),
                    _ => format!("atomic {{ {cell} = {}; r = y; }}", thread + 1),
                }
            });
            let body = statements.collect::<Vec<_>>().join(" ");
            let _ = writeln!(text, "thread t{thread} {{ local r; {body} }}");
        }
        parse(&text).program.expect("no errors")
    })
}

/// Any program, or one with many cycles.
fn runnable() -> impl Strategy<Value = Program> {
    prop_oneof![
        sketch(Shape::ALL).prop_map(|sketch| sketch.build()),
        accesses()
    ]
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn a_cycle_has_as_few_steps_between_nodes_as_possible(
        program in accesses(),
        schedule in prop::collection::vec(0..1000usize, 30),
    ) {
        for model in [Model::Tso, Model::Pso, Model::Pgas] {
            let Some(run) = walk(&program, model, &schedule, true) else {
                continue;
            };
            let hb = run.happens_before();
            let cycle = hb.cycle();
            let steps = cycle.map(|cycle| {
                let ends = (0..cycle.len()).map(|at| (cycle[at].0, cycle[(at + 1) % cycle.len()].0));
                let blocks = ends.map(|(a, b)| (hb.event(a).block, hb.event(b).block));
                blocks.filter(|&(a, b)| a.is_none() || a != b).count()
            });
            prop_assert_eq!(steps, girth(&hb));
        }
    }

    #[test]
    fn an_acyclic_happens_before_relation_means_a_final_state_of_sc(
        program in runnable(),
        schedule in prop::collection::vec(0..1000usize, 12..40),
        delays in any::<bool>(),
    ) {
        let (halts, _) = explore_halts(&program, Model::Sc, &Budget::default());
        for model in Model::ALL {
            let Some(run) = walk(&program, model, &schedule, delays) else {
                continue;
            };
            let hb = run.happens_before();
            let cycle = hb.cycle();
            prop_assert_eq!(cycle.is_some(), hb.is_cyclic());
            prop_assert!(model != Model::Sc || cycle.is_none());
            let in_block = run.moments.iter().any(|moment| moment.block.is_some());
            let by_access = has_a_cycle_access_by_access(&hb);
            let agree = if in_block {
                !by_access || cycle.is_some()
            } else {
                by_access == cycle.is_some()
            };
            prop_assert!(agree);
            let mut left = Buffers::default();
            run.moments.iter().for_each(|moment| left.advance(moment));
            let is_outside = run.moments.last().is_none_or(|moment| moment.block.is_none());
            let drained = left.occupied().next().is_none() && is_outside;
            if cycle.is_none() && drained {
                prop_assert!(halts.contains(&run.end), "{} {:?}", model, run);
            }
        }
    }

    #[test]
    fn program_order_in_a_shortest_cycle_goes_forwards(
        program in runnable(),
        schedule in prop::collection::vec(0..1000usize, 12..40),
        delays in any::<bool>(),
    ) {
        for model in [Model::Tso, Model::Pso, Model::Pgas] {
            let Some(run) = walk(&program, model, &schedule, delays) else {
                continue;
            };
            let hb = run.happens_before();
            let cycle = hb.cycle().unwrap_or_default();
            for (index, &(from, relation)) in cycle.iter().enumerate() {
                let (to, _) = cycle[(index + 1) % cycle.len()];
                let (a, b) = (hb.event(from), hb.event(to));
                let internal = hb.thread(from) == hb.thread(to);
                let sound = match relation {
                    Relation::Po => internal && from < to,
                    Relation::Block => internal && from > to && a.block == b.block,
                    Relation::Rf => !internal && a.stored == b.loaded && a.addr == b.addr,
                    Relation::Co => !internal && a.effective <= b.effective && a.addr == b.addr,
                    Relation::Fr => !internal && a.loaded.is_some() && a.addr == b.addr,
                };
                prop_assert!(sound, "{relation} in {run:?}");
            }
        }
    }

    #[test]
    fn a_weaker_model_loses_no_final_state(sketch in sketch(Shape::ALL)) {
        let program = sketch.build();
        let [sc, tso, pso, pgas] = Model::ALL.map(|model| finals(&program, model));
        prop_assert!(sc.is_subset(&tso));
        prop_assert!(tso.is_subset(&pso));
        prop_assert_eq!(pso, pgas);
    }

    #[test]
    fn pso_and_pgas_halt_in_the_same_configurations(sketch in sketch(Shape::ALL)) {
        let program = sketch.build();
        let [pso, pgas] = [Model::Pso, Model::Pgas]
            .map(|model| explore_halts(&program, model, &Budget::default()));
        prop_assert_eq!(pso, pgas);
    }

    #[test]
    fn a_fence_never_adds_a_final_state(
        sketch in sketch(Shape::ALL),
        thread in 0..3usize,
        position in 0..6usize,
        kind in prop_oneof![
            Just(Kind::Full),
            Just(Kind::Store),
            (1u8..8).prop_map(Kind::Cells),
            Just(Kind::All),
        ],
    ) {
        let fenced = sketch.with_insertion(thread, position, Stmt::Fence(kind));
        for model in Model::ALL {
            prop_assert!(values(&fenced, model).is_subset(&values(&sketch, model)));
        }
    }

    #[test]
    fn a_full_fence_after_every_store_leaves_sequential_consistency(
        sketch in sketch(Shape::ALL),
    ) {
        let fenced = sketch.after_stores(&Stmt::Fence(Kind::Full)).build();
        let sc = finals(&fenced, Model::Sc);
        for model in [Model::Tso, Model::Pso, Model::Pgas] {
            prop_assert_eq!(&finals(&fenced, model), &sc);
        }
    }

    #[test]
    fn the_framework_with_a_lightweight_fence_after_every_store_is_tso(
        sketch in sketch(Shape::ALL),
    ) {
        let tso = values(&sketch, Model::Tso);
        let fenced = sketch.after_stores(&Stmt::Fence(Kind::Store));
        for model in [Model::Pso, Model::Pgas] {
            prop_assert_eq!(&values(&fenced, model), &tso);
        }
    }

    #[test]
    fn the_search_agrees_with_the_exploration(sketch in sketch(Shape::ALL)) {
        let program = sketch.build();
        let goals: Vec<Goal> = (0..program.properties().len()).map(Goal::Property).collect();
        let observed = |property: usize, halt: &Halt| {
            program.properties()[property].predicate.eval(|observable| match observable {
                Observable::Register(t, r) => {
                    halt.registers[t.index()][r.index()]
                }
                Observable::At(t, l) => {
                    i32::from(halt.locations[t.index()] == l)
                }
                Observable::Cell(addr) => halt.memory[addr.index()],
            }) != 0
        };
        for model in Model::ALL {
            let (halts, _) = explore_halts(&program, model, &Budget::default());
            let finals = finals(&program, model);
            let expected = [
                halts.iter().any(|halt| observed(0, halt)),
                halts.iter().any(|halt| observed(1, halt)),
                finals.iter().any(|halt| observed(2, halt)),
                finals.iter().any(|halt| !observed(3, halt)),
            ];
            let answers = search(&program, model, &goals, Reduction::ALL);
            for ((_, verdict), expected) in answers.verdicts.iter().zip(expected) {
                prop_assert_eq!(matches!(verdict, Verdict::Violated(_)), expected);
            }
        }
    }
}
