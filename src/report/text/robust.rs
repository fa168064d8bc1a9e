//! The report on robustness.
//!
//! ```text
//! Not robust under TSO: 2 of 2 attacks are feasible.
//!   t0 delays `x = 1;` (line 4) past `r = y;` (line 5): store buffering (SB).
//!   …
//! ```
//! and the computation of the first attack, with the buffers and the cycle; of all with `-v`.

use super::super::paper::{Color, Paper, word_color};
use super::super::{Detail, Measured, Source, Style};
use super::{MORE_MEMORY, bounds_words, counted};
use crate::explicit::Run;
use crate::program::Op;
use crate::robustness::{Attack, RobustReport};
use crate::verdict::{Reason, Verdict};
use std::fmt::Write as _;

/// The report on robustness, each line ended.
pub fn robust(
    source: &Source<'_>,
    report: &RobustReport,
    measured: &Measured,
    style: Style,
) -> String {
    let mut out = Paper::new(style);
    let verdict = report.verdict();
    let mut said = sentence(source, report);
    if let Some((index, of)) = report.shard {
        let _ = write!(
            said,
            " Only part {} of {of} of the attacks was asked.",
            index + 1
        );
    }
    out.sentence(&said, word_color(&verdict));
    if style.detail == Detail::Verdict {
        return out.finish();
    }
    for (attack, run) in report.feasible() {
        out.item(&attack_words(source, attack, run));
    }
    let shown = if style.detail == Detail::Everything {
        usize::MAX
    } else {
        1
    };
    for (attack, run) in report.feasible().take(shown) {
        if report.feasible().count() > 1 {
            out.blank();
            let text = format!("{}:", delays(source, attack));
            let title = out.paint(&text, Color::Heading);
            out.lines(&[title]);
        }
        out.run(source, None, run);
    }
    if let Some(Verdict::Violated(run)) = &report.by_definition {
        out.run(source, None, run);
    }
    if let Some(run) = &report.overflow {
        out.run(source, None, run);
    }
    load_bearing(&mut out, source, report);
    if let Some(vacuity) = &report.vacuity {
        out.vacuity(source, vacuity);
    }
    if let Some(next) = next_step(source, report) {
        out.blank();
        out.paragraph(&format!("Next: {next}"));
    }
    if style.detail == Detail::Everything {
        out.figures(report.engine, &report.stats, measured);
    }
    out.finish()
}

fn sentence(source: &Source<'_>, report: &RobustReport) -> String {
    let model = report.model;
    let candidates = report.candidates() as u64;
    match report.verdict() {
        Verdict::Holds if report.by_definition.is_some() => format!(
            "Robust under {model}, for all executions: none of them has a cycle in happens-before. \
             (With `barrier all` the question is decided without attacks.)"
        ),
        Verdict::Violated(_) if report.by_definition.is_some() => format!(
            "Not robust under {model}: this execution has a cycle in happens-before. (With `barrier \
             all` the question is decided without attacks.)"
        ),
        Verdict::Holds if report.shard.is_some() => {
            let (text, search) = (report.pruned.len(), report.infeasible());
            let attacks = counted(candidates, "attack");
            format!(
                "No attack of this part is feasible under {model}: {attacks}, {text} refuted by the \
                 text, {search} by search."
            )
        }
        Verdict::Holds if candidates == 0 => format!(
            "Robust under {model}, trivially: no thread has a store and a later access that could \
             overtake it."
        ),
        Verdict::Holds => {
            let (text, search) = (report.pruned.len(), report.infeasible());
            let how = match (text, search) {
                (_, 0) => "all refuted by the text".to_owned(),
                (0, _) => "all refuted by search".to_owned(),
                _ => format!("{text} refuted by the text, {search} by search"),
            };
            let attacks = counted(candidates, "attack");
            format!("Robust under {model}, for all executions: {attacks}, {how}.")
        }
        Verdict::Violated(_) => {
            let feasible = report.feasible().count();
            let verb = if feasible == 1 { "is" } else { "are" };
            let attacks = counted(candidates, "attack");
            let open = report.answers.len() - feasible - report.infeasible();
            let rest = match open {
                0 => String::new(),
                1 => "; 1 was left open".to_owned(),
                open => format!("; {open} were left open"),
            };
            format!("Not robust under {model}: {feasible} of {attacks} {verb} feasible{rest}.")
        }
        Verdict::HoldsWithin(bounds) => format!(
            "No attack found under {model}, within bounds: {}. This is not a proof.",
            bounds_words(source, &bounds, report.unroll)
        ),
        Verdict::Unknown(reason) => {
            format!("Undecided under {model}: {}.", source.why(&reason))
        }
    }
}

/// `t0 delays `x = 1;` (line 4) past `r = y;` (line 5)`
pub(super) fn delays(source: &Source<'_>, attack: Attack) -> String {
    let thread = source.program.thread(attack.thread).name();
    let (store, last) = (attack.store_site(), attack.last_site());
    format!(
        "{thread} delays `{}` ({}) past `{}` ({})",
        source.statement(store),
        source.place(store),
        source.statement(last),
        source.place(last),
    )
}

fn attack_words(source: &Source<'_>, attack: Attack, run: &Run) -> String {
    let shape = run.happens_before().shape();
    let shape = shape.map_or(String::new(), |shape| format!(": {shape}"));
    format!("{}{shape}.", delays(source, attack))
}

/// What the answer "robust" rests on.
fn load_bearing(out: &mut Paper, source: &Source<'_>, report: &RobustReport) {
    if report.load_bearing.is_empty() {
        return;
    }
    out.blank();
    let title = out.paint("What carries the result:", Color::Heading);
    out.lines(&[title]);
    for bearing in &report.load_bearing {
        let site = bearing.site;
        let thread = source.program.thread(site.thread).name();
        let kind = match source.program.instruction(site).op {
            Op::Rmw { .. } => "locked instruction",
            Op::AtomicBegin => "atomic block",
            Op::Fence(_)
            | Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::AtomicEnd => "fence",
        };
        out.item(&format!(
            "{thread} {}: the {kind} `{}`; without it {}.",
            source.place(site),
            source.statement(site),
            delays(source, bearing.attack),
        ));
    }
}

fn next_step(source: &Source<'_>, report: &RobustReport) -> Option<String> {
    let (file, model) = (source.file, report.model.name());
    match report.verdict() {
        Verdict::Holds | Verdict::Unknown(Reason::Unsupported(_) | Reason::Overflow(_)) => None,
        Verdict::Violated(_) => Some(format!(
            "`fencepost fence {file} --model {model}` finds the cheapest fences against this; \
             `fencepost check {file} --model {model}` tells whether the program's own properties \
             are at stake."
        )),
        Verdict::HoldsWithin(_) => Some(format!(
            "`fencepost robust {file} --model {model} --unroll {}` follows loops further, and \
             `--engine explicit` decides them where data are finite.",
            report.unroll.map_or(8, |times| times.saturating_mul(2)),
        )),
        Verdict::Unknown(Reason::Stopped) => {
            Some("give it more time with `--timeout`, or ask fewer threads.".to_owned())
        }
        Verdict::Unknown(Reason::Memory(_)) => Some(MORE_MEMORY.to_owned()),
        Verdict::Unknown(Reason::StateBudget(_)) => Some(
            "fewer threads, smaller data or `--engine bmc`, which does not count states."
                .to_owned(),
        ),
    }
}
