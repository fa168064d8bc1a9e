//! Patches of the programs of a corpus: with the fences that are found for it, a program is robust.

use fencepost::internals::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::internals::formats::{Format, parse_as, rewrite_as};
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Aim, FenceKind};
use std::fs;
use std::path::PathBuf;

/// How many patches of these kinds were made, for TSO and PSO. Each was verified, and accepted by the
/// language's compiler, which says what is wrong.
pub fn patched(
    format: Format,
    programs: Vec<PathBuf>,
    kinds: &[(FenceKind, u32)],
    complaints: impl Fn(&str) -> String,
) -> usize {
    let budget = Budget::default().with_states(200_000);
    let mut patched = 0;
    for path in programs {
        let text = fs::read_to_string(&path).expect("it is text");
        let name = path.display();
        let parsed = parse_as(format, &text);
        let program = parsed.positions().expect("it has no errors");
        for model in [Model::Tso, Model::Pso] {
            let options = FenceOptions::new(model, Aim::Robustness).kinds(kinds.to_vec());
            let report = cheapest_fences(program, &options, &budget).expect("no defect");
            let Outcome::Found(_) = report.outcome() else {
                continue;
            };
            let changes = report.changes(program).expect("a set was found");
            if changes.is_empty() {
                continue;
            }
            let fenced = rewrite_as(format, &text, program, &changes)
                .unwrap_or_else(|why| panic!("{name} {model}: {why}"));
            assert_eq!(complaints(&fenced), "", "{name}:\n{fenced}");
            let again = parse_as(format, &fenced);
            let again = again.program.expect("a patch has no errors");
            let report = robust(&again, &RobustOptions::new(model), &budget).expect("no defect");
            let verdict = report.verdict();
            assert_eq!(verdict, Verdict::Holds, "{name} {model}:\n{fenced}");
            patched += 1;
        }
    }
    patched
}
