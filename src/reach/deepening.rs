//! Deepening one return at a time, from none: where what a raised bound adds must be known to what
//! was encoded before it.
//!
//! The engines start with one return and double the bounds, and small programs are explored instead:
//! what goes wrong between two rounds would not show there.

use super::{Answer, Method, Reach};
use crate::encode::{Plan, Switch};
use crate::formats::parse;
use crate::model::Model;
use crate::program::{Goal, Program};
use crate::verdict::Budget;
use std::collections::BTreeSet;

/// How often the loops that an answer needed must be followed once more until the goal is
/// reached, from none on; `None` if it is proved unreachable.
fn deepened_to_the_end(program: &Program, goal: Goal, model: Model) -> Option<usize> {
    let plan = Plan {
        returns: 0,
        ..Plan::new(vec![goal], model)
    };
    let mut reach = Reach::open(program, plan, Method::default(), &Budget::default());
    let mut rounds = 0;
    loop {
        match reach.ask(goal, model, &[]) {
            Ok(Answer::Reachable(_)) => return Some(rounds),
            Ok(Answer::Unreachable(core)) => {
                // A loop that is cut in several places is named several times.
                let loops: BTreeSet<_> = core.iter().filter_map(Switch::frontier).collect();
                if loops.is_empty() {
                    return None;
                }
                reach.deepen(&Vec::from_iter(loops), 1);
                rounds += 1;
                assert!(rounds < 20, "each loop comes to its end");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The inner loop has no way out but the one back to the head of the outer loop. With no return
/// granted to either, control goes beyond both bounds at the inner one, the only one that is cut.
#[test]
fn beyond_an_inner_loop_control_may_go_round_the_outer_one() {
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
    // The inner loop comes back three times, and then the outer one once.
    assert_eq!(
        deepened_to_the_end(&program, Goal::Property(0), Model::Sc),
        Some(4)
    );
}

/// No iteration that is encoded at first leaves the loop, and the one that stores is added before
/// the one that does: what comes after the loop must know of it all the same.
#[test]
fn what_follows_a_loop_reads_what_a_middle_iteration_stored() {
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

/// The same, but what follows the inner loop is the next iteration of the outer one, to which
/// control also comes without it. There is no third.
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

/// What a late iteration stores comes after what an early one stored, and after the initial value:
/// who has read it reads neither again.
#[test]
fn a_store_that_a_raised_bound_adds_overtakes_what_was_there() {
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
