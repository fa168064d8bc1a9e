//! Generalisation: from a cube that no step from a frame reaches to a larger one.
//!
//! The core of the query is a first, larger cube. Then literals are dropped as long as no step from
//! outside the cube leads into it: first everything about one thread or one cell at once, because most
//! invariants relate few threads, then one literal after the other. If a dropped literal lets a state
//! in that itself can be excluded from the frame before (a *counterexample to generalisation*, \[HBS13\]),
//! it is excluded and the literal is tried again, a few times.
//!
//! **Invariant.** No cube returned contains the initial state.

use super::frames::Frames;
use super::solver::{BitLit, Cube, Predecessors, Target};
use super::system::System;
use crate::verdict::Stop;
use std::collections::BTreeSet;

/// How many states are excluded in favour of one literal.
const MOST_EXCLUDED: usize = 3;

/// A cube as large as possible that contains this one and that no step from the frame before `level`
/// reaches. Requires the core of that query.
///
/// # Errors
///
/// If the stop flag was raised.
pub(super) fn generalised(
    system: &System,
    frames: &mut Frames,
    cube: &Cube,
    core: Cube,
    level: usize,
) -> Result<Cube, Stop> {
    let mut cube = without_initial(system, core, cube);
    let group = |lit: &BitLit| system.bits[lit.bit as usize].group;
    let groups: BTreeSet<usize> = cube.0.iter().map(group).collect();
    if groups.len() > 1 {
        for dropped in groups {
            let rest = cube.0.iter().copied();
            let rest = Cube(rest.filter(|lit| group(lit) != dropped).collect());
            if rest.0.len() < cube.0.len()
                && let Some(smaller) = blocked(system, frames, &rest, level, 0)?
            {
                cube = smaller;
            }
        }
    }
    for lit in cube.0.clone() {
        if cube.0.len() > 1 && cube.0.contains(&lit) {
            let rest = cube.0.iter().copied();
            let rest = Cube(rest.filter(|other| *other != lit).collect());
            if let Some(smaller) = blocked(system, frames, &rest, level, MOST_EXCLUDED)? {
                cube = smaller;
            }
        }
    }
    Ok(cube)
}

/// The cube, or a larger one, if no step from the frame before leads into it from outside. Excludes up
/// to so many states from the frame before in order to make that true.
fn blocked(
    system: &System,
    frames: &mut Frames,
    cube: &Cube,
    level: usize,
    most: usize,
) -> Result<Option<Cube>, Stop> {
    let mut excluded = 0;
    loop {
        if cube.contains(&system.initial) {
            return Ok(None);
        }
        let (state, inputs) = match frames.predecessors(system, cube, level - 1, true)? {
            Predecessors::None(core) => return Ok(Some(without_initial(system, core, cube))),
            Predecessors::Some(state, inputs) => (state, inputs),
        };
        if excluded >= most || level < 2 || state == system.initial {
            return Ok(None);
        }
        excluded += 1;
        let plain = frames.plain(system);
        let found = plain.lift(system, &state, &inputs, Target::Cube(cube))?;
        if found.contains(&system.initial) {
            return Ok(None);
        }
        let Predecessors::None(core) = frames.predecessors(system, &found, level - 2, true)? else {
            return Ok(None);
        };
        let core = without_initial(system, core, &found);
        let mut at = level - 1;
        // As far as it is known for.
        while at < level {
            match frames.predecessors(system, &core, at, true)? {
                Predecessors::None(_) => at += 1,
                Predecessors::Some(..) => break,
            }
        }
        frames.exclude(system, core, at);
    }
}

/// A part of a cube, with a literal added if it contains the initial state.
fn without_initial(system: &System, part: Cube, whole: &Cube) -> Cube {
    if !part.contains(&system.initial) {
        return part;
    }
    let Cube(mut lits) = part;
    let differs = |lit: &&BitLit| system.initial[lit.bit as usize] != lit.value;
    lits.extend(whole.0.iter().find(differs));
    lits.sort_unstable();
    Cube(lits)
}
