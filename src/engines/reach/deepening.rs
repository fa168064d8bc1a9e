//! Tests of deepening one return at a time, from bound 0: the parts that a raised bound adds must
//! be connected to the parts encoded before.
//!
//! The engines start with one return and double the bounds, and explore small programs explicitly:
//! they would not expose an error between two rounds.

use super::{Method, Reach, ReachAnswer};
use crate::encode::{Plan, Switch};
use crate::formats::parse;
use crate::model::Model;
use crate::program::{Goal, Program};
use crate::verdict::Budget;
use std::collections::BTreeSet;

/// The number of rounds, from bound 0, in which the loops in the core are deepened by one until the
/// goal is reached; `None` if it is proved unreachable.
fn deepened_to_the_end(program: &Program, goal: Goal, model: Model) -> Option<usize> {
    let plan = Plan {
        returns: 0,
        ..Plan::new(vec![goal], model)
    };
    let mut reach = Reach::open(program, plan, Method::default(), &Budget::default());
    let mut rounds = 0;
    loop {
        match reach.ask(goal, model, &[]) {
            Ok(ReachAnswer::Reachable(_)) => return Some(rounds),
            Ok(ReachAnswer::Unreachable(core)) => {
                // A loop that is cut at several edges appears several times.
                let loops: BTreeSet<_> = core.iter().filter_map(Switch::frontier).collect();
                if loops.is_empty() {
                    return None;
                }
                reach.deepen(&Vec::from_iter(loops), 1);
                rounds += 1;
                assert!(rounds < 20, "each loop terminates");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The only exit of the inner loop leads back to the head of the outer loop. If the bounds of both
/// loops are 0, control exceeds both at the inner loop, which is the only one that is cut.
#[test]
fn exceeding_the_bound_of_an_inner_loop_may_continue_in_the_outer_one() {
    let text = "shared x;
        thread t regs i, o init q0 begin
          q0: o <- o + 1; goto q1;
          q1: assume o == 2; goto q2;
          q1: assume o != 2; goto q3;
          q2: mem[x] <- 7; goto q3;
          q3: i <- 0; goto q4;
          q4: assume i < 3; goto q5;
          q5: i <- i + 1; goto q4;
          q4: assume i >= 3; goto q0;
        end
        forbid t@q2;";
    let program = parse(text).program.expect("no errors in the text");
    // The inner loop returns three times, and then the outer one once.
    assert_eq!(
        deepened_to_the_end(&program, Goal::Property(0), Model::Sc),
        Some(4)
    );
}

/// No iteration that is encoded at first leaves the loop. The iteration that stores is added before
/// the one that leaves, and the code after the loop must still see its store.
#[test]
fn code_after_a_loop_reads_what_a_middle_iteration_stored() {
    let text = "shared x;
        thread t {
            local c, r;
            while (c < 3) { c = c + 1; if (c == 2) { x = 1; } }
            r = x;
        }
        final assert t.r == 0;
        final assert t.r == 1;";
    let program = parse(text).program.expect("no errors in the text");
    for model in Model::ALL {
        assert_eq!(
            deepened_to_the_end(&program, Goal::Property(0), model),
            Some(3)
        );
        assert_eq!(
            deepened_to_the_end(&program, Goal::Property(1), model),
            None
        );
    }
}

/// The same, but the inner loop is followed by the next iteration of the outer one, which control
/// also reaches without the inner loop. There is no third iteration.
#[test]
fn the_next_iteration_reads_what_a_middle_one_of_an_inner_loop_stored() {
    let text = "shared x, y;
        thread t regs c, o, r init q0 begin
          q0: r <- mem[x]; goto q1;
          q1: assume o == 0; goto q2;
          q2: o <- 1; goto q3;
          q3: mem[y] <- 1; goto q0;
          q3: c <- 0; goto q4;
          q4: assume c < 3; goto q5;
          q5: c <- c + 1; goto q6;
          q6: assume c == 2; goto q7;
          q7: mem[x] <- 1; goto q4;
          q6: assume c != 2; goto q4;
          q4: assume c >= 3; goto q0;
        end
        forbid t.r == 1;";
    let program = parse(text).program.expect("no errors in the text");
    for model in Model::ALL {
        assert_eq!(
            deepened_to_the_end(&program, Goal::Property(0), model),
            Some(3)
        );
    }
}

/// A store of a late iteration is after the store of an early one and after the initial value: a
/// thread that has read it reads neither of these afterwards.
#[test]
fn a_store_that_a_raised_bound_adds_is_after_the_earlier_ones() {
    let reads = "thread u { local r, s; r = x; s = x; } final assert u.r <= u.s;";
    for body in ["x = c;", "if (c == 3) { x = 1; }"] {
        let text = format!(
            "shared x; thread t {{ local c; while (c < 3) {{ c = c + 1; {body} }} }} {reads}"
        );
        let program = parse(&text).program.expect("no errors in the text");
        for model in Model::ALL {
            assert_eq!(
                deepened_to_the_end(&program, Goal::Property(0), model),
                None
            );
        }
    }
}
