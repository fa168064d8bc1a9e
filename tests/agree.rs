//! The SAT road and the reference agree.

#[path = "support/random.rs"]
#[allow(dead_code, reason = "each test binary uses a part of the generator")]
#[allow(unreachable_pub, reason = "shared between test binaries")]
mod random;

use fencepost::explicit::{explore, explore_halts};
use fencepost::model::Model;
use fencepost::program::Program;
use fencepost::reach::{Method, configurations};
use fencepost::verdict::Budget;
use proptest::prelude::*;
use random::{Shape, sketch};

fn compare(program: &Program, method: Method) -> Result<(), TestCaseError> {
    let budget = Budget::default();
    for model in Model::ALL {
        let reference = explore(program, model, &budget);
        prop_assume!(reference.incomplete.is_none());
        let found = configurations(program, model, true, 3, method, &budget)
            .map_err(|error| TestCaseError::fail(format!("{model}: {error}")))?
            .expect("no stop flag");
        prop_assert_eq!(&found, &reference.finals, "{} finals", model);
        let (halts, _) = explore_halts(program, model, &budget);
        if halts.len() < 400 {
            let found = configurations(program, model, false, 3, method, &budget)
                .map_err(|error| TestCaseError::fail(format!("{model}: {error}")))?
                .expect("no stop flag");
            prop_assert_eq!(&found, &halts, "{} halts", model);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn both_roads_reach_the_same_configurations(sketch in sketch(Shape::ACYCLIC)) {
        compare(&sketch.build(), Method::default())?;
    }
}
