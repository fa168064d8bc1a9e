//! What actors really do, in all orders, is within the bound.

use super::*;
use crate::formats::parse;
use crate::model::Model;
use crate::search::ahead::Deciding;
use crate::search::reduce::Reduction;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write as _;

fn statement() -> impl Strategy<Value = String> {
    let cell = || prop::sample::select(vec!["x", "y", "a[0]", "a[1]"]);
    (cell(), cell(), 1..3_i32, 0..20_u8).prop_map(|(x, y, v, form)| match form {
        0..=2 => format!("{x} = {v};"),
        3 => format!("r = {x};"),
        4 => format!("r = xchg({x}, {v});"),
        5 => format!("a[r & 1] = {v};"),
        6 => format!("r = cas({x}, r, {v});"),
        7 => format!("r = fetch_add({x}, 1);"),
        8 => format!("r = {x}; a[r & 1] = {v};"),
        9 => "r = a[r & 1];".to_owned(),
        10 => format!("atomic {{ r = {x}; a[r & 1] = {v}; s = {y}; }}"),
        11 => format!("if ({x} == {v}) {{ {y} = 1; }}"),
        12 => format!("while ({x} == 0) {{ }}"),
        13 => format!("r = nondet(0, 1); if (r == 1) {{ {x} = {v}; }}"),
        14 => format!("s = {x}; {y} = s;"),
        15 => format!("r = {x}; s = r + 1; a[s & 1] = {v};"),
        16 => format!("s = {x}; r = xchg({y}, s); a[r & 1] = {v};"),
        17 => format!("r = {y}; s = {x}; a[r & 1] = s;"),
        18 => format!("if (a[r & 1] == {v}) {{ {x} = 1; }}"),
        _ => "fence;".to_owned(),
    })
}

fn text() -> impl Strategy<Value = String> {
    let body = prop::collection::vec(statement(), 1..4).prop_map(|all| all.join(" "));
    prop::collection::vec(body, 2..4).prop_map(|bodies| {
        let mut text = "shared x, y; shared a[2];\n".to_owned();
        for (number, body) in bodies.iter().enumerate() {
            let _ = writeln!(text, "thread t{number} {{ local r, s; {body} }}");
        }
        text
    })
}

/// What each thread touches if stopped actors take no step, in all orders; `None` if that is too much.
fn all_orders(
    machine: &Machine<'_>,
    footprint: &Footprint,
    config: &Config,
    stopped: &[Stopped],
) -> Option<Vec<Touch>> {
    let key = |config: &Config| format!("{config:?}");
    let mut touched = vec![footprint.nothing(); stopped.len()];
    let mut known = BTreeSet::from([key(config)]);
    let mut work = vec![config.clone()];
    while let Some(config) = work.pop() {
        if known.len() > 5_000 {
            return None;
        }
        let mut steps = Vec::new();
        machine.propose(&config, &mut steps);
        for step in steps {
            let t = step.thread().index();
            let is_stopped = match step {
                Step::Execute { .. } => stopped[t].control,
                Step::Advance { .. } | Step::Flush { .. } | Step::Retire { .. } => {
                    stopped[t].buffer
                }
            };
            let mut next = config.clone();
            if is_stopped {
                continue;
            }
            let Ok(action) = machine.apply(&mut next, step) else {
                continue;
            };
            match action {
                Action::Load { addr, .. } => {
                    touched[t].add(footprint.loaded(addr));
                }
                Action::Flush { addr, .. } => {
                    touched[t].add(footprint.stored(addr));
                }
                Action::Rmw { addr, .. } => {
                    touched[t].add(footprint.loaded(addr));
                    touched[t].add(footprint.stored(addr));
                }
                Action::Issue { .. }
                | Action::Fence
                | Action::Local
                | Action::Advance { .. }
                | Action::Retire => {}
            }
            if known.insert(key(&next)) {
                work.push(next);
            }
        }
    }
    Some(touched)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_bound_covers_what_is_done_in_all_orders(
        text in text(),
        model in prop::sample::select(vec![Model::Sc, Model::Tso, Model::Tso]),
        walk in prop::collection::vec(any::<prop::sample::Index>(), 0..10),
        stops in prop::collection::vec((any::<bool>(), any::<bool>()), 3),
        liveness in any::<bool>(),
    ) {
        let program = parse(&text).into_program().expect("the generator writes programs");
        let machine = Machine::new(&program, model);
        let reduction = Reduction { liveness, ..Reduction::NONE };
        let reduce = Reduce::new(&machine, &[], reduction);
        let footprint = Footprint::new(&machine, &[]).expect("it is small");
        let mut config = machine.initial();
        let mut here = config.clone();
        for index in walk {
            let mut steps = Vec::new();
            machine.propose(&config, &mut steps);
            if !steps.is_empty() && machine.apply(&mut config, *index.get(&steps)).is_ok() {
                reduce.normalise(&mut config);
            }
            if machine.inside(&config).is_none() {
                here.clone_from(&config);
            }
        }
        let stopped: Vec<Stopped> = program.thread_ids().zip(stops).map(|(thread, (control, buffer))| Stopped {
            control,
            buffer: buffer && !here.buffers[thread.index()].is_empty(),
        }).collect();
        let Some(done) = all_orders(&machine, &footprint, &here, &stopped) else {
            return Ok(());
        };
        let mut bounds = vec![footprint.nothing(); stopped.len()];
        let config = here.clone();
        let mut left = 100_000;
        let mut bound = Bound {
            machine: &machine,
            reduce: &reduce,
            footprint: &footprint,
            deciding: &Deciding::of(&program),
            config: &config,
            here: &mut here,
            stopped: &stopped,
            modular: &mut Modular::default(),
            left: &mut left,
            depends: |thread: ThreadId, _, touch: &Touch| {
                bounds[thread.index()].add(touch);
                false
            },
        };
        if bound.find().is_err() {
            return Ok(());
        }
        for (done, bound) in done.iter().zip(&bounds) {
            let mut both = bound.clone();
            prop_assert!(!both.add(done), "{done:?} {bound:?} {stopped:?} {config:?}");
        }
    }
}
