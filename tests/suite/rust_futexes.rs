//! Futexes whose address is known only when the program runs, against those that are named: whether some execution ends with
//! a thread that waits forever.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a text that is not read has failed"
)]

use crate::support::config;
use config::config;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::{Format, ParseOptions, parse_with, render};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use proptest::prelude::*;

/// What a thread does with one of the words.
#[derive(Clone, Copy, Debug)]
enum Step {
    Wait(u32),
    WaitWhileZero,
    WakeOne,
    WakeAll,
    Set(u32, &'static str),
}

fn step() -> impl Strategy<Value = (Step, usize)> {
    let order = prop_oneof![Just("Relaxed"), Just("SeqCst")];
    let step = prop_oneof![
        2 => (0..2_u32).prop_map(Step::Wait),
        2 => Just(Step::WaitWhileZero),
        2 => Just(Step::WakeOne),
        1 => Just(Step::WakeAll),
        2 => (0..2_u32, order).prop_map(|(value, order)| Step::Set(value, order)),
    ];
    (step, 0..2_usize)
}

/// The program whose words are named, or chosen by what is loaded.
fn program(threads: &[Vec<(Step, usize)>], is_chosen: bool) -> String {
    let statement = |(step, word): &(Step, usize)| {
        let at = if is_chosen {
            format!("chosen({word})")
        } else {
            format!("&W[{word}]")
        };
        match step {
            Step::Wait(value) => format!("wait({at}, {value});"),
            Step::WaitWhileZero => {
                format!("while W[{word}].load(Relaxed) == 0 {{ wait({at}, 0); }}")
            }
            Step::WakeOne => format!("wake_one({at});"),
            Step::WakeAll => format!("wake_all({at});"),
            Step::Set(value, order) => format!("W[{word}].store({value}, {order});"),
        }
    };
    let spawned: Vec<String> = threads
        .iter()
        .map(|steps| {
            let steps: Vec<String> = steps.iter().map(statement).collect();
            format!("s.spawn(|| {{ {} }});", steps.join(" "))
        })
        .collect();
    format!(
        "use atomic_wait::{{wait, wake_all, wake_one}};
         use std::sync::atomic::{{AtomicU32, AtomicUsize, Ordering::*}};
         static W: [AtomicU32; 2] = [const {{ AtomicU32::new(0) }}; 2];
         static FROM: AtomicUsize = AtomicUsize::new(0);
         fn chosen(word: usize) -> &'static AtomicU32 {{ &W[word + FROM.load(Relaxed)] }}
         fn main() {{
             std::thread::scope(|s| {{
                 s.spawn(|| FROM.store(0, Relaxed));
                 {}
             }});
             assert!(FROM.load(Relaxed) == 0);
         }}",
        spawned.join("\n                 ")
    )
}

/// Whether a program may be stuck; `None` if that is not decided.
fn verdict(text: &str, model: Model) -> Option<String> {
    let parsed = parse_with(Format::Rust, text, &ParseOptions::new().forbid_stuck());
    let shown = render(&parsed.diagnostics, "program", text, false);
    let program = parsed.program.unwrap_or_else(|| panic!("{text}\n{shown}"));
    let options = CheckOptions::new(model).engine(Engine::Explicit);
    let budget = Budget::default().with_states(100_000);
    let report = check(&program, &options, &budget).expect("no defect");
    let word = report.verdict().word();
    (word != "unknown").then(|| word.to_owned())
}

proptest! {
    #![proptest_config(config(12))]

    #[test]
    fn a_futex_is_the_one_that_its_address_says(
        threads in prop::collection::vec(prop::collection::vec(step(), 1..3), 2..3)
    ) {
        for model in [Model::Sc, Model::Tso] {
            let (named, chosen) = (program(&threads, false), program(&threads, true));
            if let (Some(a), Some(b)) = (verdict(&named, model), verdict(&chosen, model)) {
                prop_assert_eq!(a, b, "{}\n{}", model, chosen);
            }
        }
    }
}
