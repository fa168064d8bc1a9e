//! Random small programs whose threads access the same cells.
//!
//! Few of the programs of `random` are not robust, since their threads seldom access the same two cells.
//! Here most programs have only two cells, and many are built around a cycle of conflicts.

use super::random::{Kind, Place, Shape, Sketch, Stmt, Value, sketch};
use proptest::prelude::*;

const X: i32 = 1;
const Y: i32 = 2;

/// The statements with two cells instead of five, so that threads conflict more often, and without those
/// that only end a thread or have no effect here.
fn narrow(body: &[Stmt]) -> Vec<Stmt> {
    let place = |place: &Place| match place {
        Place::Cell(cell) => Place::Cell(1 + cell % 2),
        Place::Element(reg) => Place::Cell(1 + (reg % 2) as i32),
        Place::Wild(reg) => Place::Wild(*reg),
    };
    let statement = |stmt: &Stmt| match stmt {
        Stmt::Load(into, at) => Stmt::Load(*into, place(at)),
        Stmt::Store(at, value) => Stmt::Store(place(at), value.clone()),
        Stmt::Locked(into, at, how) => Stmt::Locked(*into, place(at), how.clone()),
        Stmt::If(condition, yes, no) => Stmt::If(condition.clone(), narrow(yes), narrow(no)),
        Stmt::Either(a, b) => Stmt::Either(narrow(a), narrow(b)),
        Stmt::Atomic(body) => Stmt::Atomic(narrow(body)),
        Stmt::Word(word) => {
            let (_, register) = word.first;
            let mut word = word.clone();
            word.first = (1, register);
            Stmt::Word(word)
        }
        Stmt::Loop(condition, body) => Stmt::Loop(condition.clone(), narrow(body)),
        Stmt::Repeat(times, leave, body) => Stmt::Repeat(*times, *leave, narrow(body)),
        Stmt::Fence(_) | Stmt::Assign(..) | Stmt::Choose(_) | Stmt::Assume(_) | Stmt::Assert(_) => {
            stmt.clone()
        }
    };
    let busy = |stmt: &&Stmt| {
        !matches!(
            stmt,
            Stmt::Assume(Value::Const(_)) | Stmt::Assert(_) | Stmt::Fence(Kind::All)
        )
    };
    body.iter().filter(busy).map(statement).collect()
}

/// Loop-free programs with at most `longest` statements per thread. Most of them have two cells, and
/// half of those have a cycle of conflicts between their first two threads: two accesses to different
/// cells in each, with other statements between them. Requires `longest` to be at least 3.
pub fn acyclic(longest: usize) -> BoxedStrategy<Sketch> {
    let shape = |longest| Shape {
        longest,
        ..Shape::ACYCLIC
    };
    let blocks = |longest| Shape {
        atomic: 2,
        fences: 2,
        ..shape(longest)
    };
    let narrow = |sketch: Sketch| Sketch {
        threads: sketch.threads.iter().map(|body| narrow(body)).collect(),
        observed: sketch.observed,
    };
    let stores = prop::array::uniform4(any::<bool>());
    let around = (stores, sketch(blocks(longest - 2))).prop_map(move |(stores, sketch)| {
        let mut sketch = narrow(sketch);
        let access = |index: usize, cell: i32| {
            let place = Place::Cell(cell);
            if stores[index] {
                Stmt::Store(place, Value::Const(1 + (index / 2) as i32))
            } else {
                Stmt::Load(index as u32 % 2, place)
            }
        };
        for (thread, cells) in [(0, [X, Y]), (1, [Y, X])] {
            let body = &mut sketch.threads[thread];
            body.insert(0, access(2 * thread, cells[0]));
            body.push(access(2 * thread + 1, cells[1]));
        }
        sketch
    });
    prop_oneof![
        sketch(shape(longest)),
        sketch(blocks(longest)).prop_map(narrow),
        around,
    ]
    .boxed()
}
