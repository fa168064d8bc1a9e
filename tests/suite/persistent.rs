//! Persistent sets: small programs in which one dependency matters, and how much is saved.
//!
//! The laws on random programs are in `explicit_laws`. Here each program loses an execution if one
//! kind of dependency between threads is overlooked.

use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::model::Model;
use fencepost::internals::search::{Onset, Reduction, check_all_with};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::Program;

fn read(text: &str) -> Program {
    let parsed = fencepost::parse(text);
    parsed.into_program().expect("no errors in the text")
}

/// Whether the explicit engine reaches the only property.
fn is_reached(text: &str, model: Model) -> bool {
    let program = read(text);
    let goals = program.goals();
    let goals = &goals[goals.len() - 1..];
    let budget = Budget::default();
    let answers = check_all_with(&program, model, goals, Reduction::ALL, &budget);
    match &answers.verdicts[0].1 {
        Verdict::Violated(_) => true,
        Verdict::Holds => false,
        other @ (Verdict::HoldsWithin(_) | Verdict::Unknown(_)) => panic!("{other}"),
    }
}

/// The locked instruction waits for the store before it, which the other thread does not see at once.
#[test]
fn a_locked_instruction_may_come_first_although_it_waits_for_its_buffer() {
    let text = "shared x, y;
        thread a { local r; x = 1; r = xchg(y, 1); }
        thread b { local s, u; s = y; u = x; }
        exists b.s == 1;";
    for model in Model::ALL {
        assert!(is_reached(text, model), "{model}");
    }
}

#[test]
fn a_block_that_waits_in_one_of_its_branches_depends_on_what_it_reads() {
    let text = "shared x;
        thread a { local r; atomic { r = x; choose { assume(r == 1); } or { skip; } } }
        thread b { x = 1; }
        exists a.r == 1;";
    for model in Model::ALL {
        assert!(is_reached(text, model), "{model}");
    }
}

/// Thread `a` can enter its block at once, but then it never leaves it.
#[test]
fn a_block_that_cannot_be_left_hides_nothing() {
    let text = "shared x, y;
        thread a { local r; atomic { r = x; assume(r == 1); } }
        thread b { y = 1; x = 1; }
        thread c { local v; v = y; assert(v == 0); }";
    for model in Model::ALL {
        assert!(is_reached(text, model), "{model}");
    }
}

/// Between the two stores the property is true, although no other thread reads the cell.
#[test]
fn a_value_that_is_soon_overwritten_is_seen_by_the_property() {
    let text = "shared x, y;
        thread a { x = 1; x = 2; }
        thread b { local r; r = y; }
        forbid x == 1;";
    for model in Model::ALL {
        assert!(is_reached(text, model), "{model}");
    }
}

/// Where the second store has reached memory before the first, the first is still buffered, and no
/// property is decided.
#[test]
fn a_property_is_not_decided_between_two_stores() {
    let text = "shared x, y, z;
        thread a { x = 1; y = 1; }
        thread b { local r; r = z; }
        forbid x == 0 && y == 1;";
    for model in Model::ALL {
        assert!(!is_reached(text, model), "{model}");
    }
}

#[test]
fn a_locked_instruction_may_come_after_a_load_from_its_cell() {
    let text = "shared y;
        thread a { local r; r = xchg(y, 1); }
        thread b { local s; s = y; }
        exists b.s == 0;";
    for model in Model::ALL {
        assert!(is_reached(text, model), "{model}");
    }
}

/// The second store is issued after the first, and still may advance before it.
#[test]
fn a_later_store_may_advance_first() {
    let text = "shared x, y;
        thread a { x = 1; y = 1; }
        thread b { local r, s; r = y; s = x; }
        exists b.r == 1 && b.s == 0;";
    for (model, is_possible) in Model::ALL.into_iter().zip([false, false, true, true]) {
        assert_eq!(is_reached(text, model), is_possible, "{model}");
    }
}

/// A barrier looks at the buffers of all threads, so the stores of the others depend on it.
#[test]
fn a_barrier_for_all_waits_for_stores_of_others() {
    let text = "shared x, y;
        thread a { local r; y = 1; barrier all; r = x; }
        thread b { local s; x = 1; s = y; }
        exists a.r == 0 && b.s == 0;";
    for (model, is_possible) in Model::ALL.into_iter().zip([false, false, false, false]) {
        assert_eq!(is_reached(text, model), is_possible, "{model}");
    }
    let text = "shared x, y;
        thread a { local r; y = 1; barrier all; r = x; }
        thread b { local s; x = 1; s = y; }
        exists a.r == 0 && b.s == 1;";
    for model in Model::ALL {
        assert!(is_reached(text, model), "{model}");
    }
}

/// Two private loops of 512 rounds: each thread goes through its own once.
#[test]
fn private_loops_are_not_interleaved() {
    let thread = |name: &str, mine: &str, other: &str| {
        format!(
            "thread {name} {{ local i, r; {mine} = 1; while (i < 512) {{ i = i + 1; }}
              fence; r = {other}; }}\n"
        )
    };
    let text = format!(
        "shared x, y;\n{}{}final assert a.r == 1 || b.r == 1;",
        thread("a", "x", "y"),
        thread("b", "y", "x")
    );
    let program = read(&text);
    for model in Model::ALL {
        // A directed search visits some of them twice.
        let reduction = Reduction {
            directed: Onset::Never,
            ..Reduction::ALL
        };
        let options = CheckOptions::new(model).engine(Engine::Explicit);
        let report = check(&program, &options.techniques(reduction), &Budget::default());
        let report = report.expect("no defect");
        assert_eq!(report.verdict(), Verdict::Holds);
        let states = report.stats().states.expect("the engine counts states");
        assert!(states < 10 * 512, "{states}");
    }
}
