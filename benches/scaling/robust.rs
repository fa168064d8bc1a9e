//! The table of robustness: the cost of deciding it as the families of [`families`](super::families) grow.
//!
//! Each member is checked twice: for all attacks, and for the first one. If a check times out, it skips
//! the larger members of the family.

use crate::families::{FAMILIES, Family};
use crate::measure::within;
use crate::table::Choice;
use fencepost::internals::check::Until;
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, RobustReport, robust};
use fencepost::internals::verdict::Verdict;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Measures the chosen members and writes one table per family.
///
/// # Errors
///
/// If writing fails.
pub(crate) fn write(out: &mut impl Write, choice: &Choice) -> io::Result<()> {
    for family in FAMILIES.iter().filter(|family| choice.names(family.name)) {
        let verdict = match family.known.robust() {
            Some(true) => "robust",
            Some(false) => "not robust",
            None => "open",
        };
        writeln!(out, "### {} under TSO: {verdict}\n", family.name)?;
        writeln!(
            out,
            "| n | attacks | ruled out statically | by search | feasible | states | queries | s | s to \
             the first |"
        )?;
        writeln!(out, "|--:|--:|--:|--:|--:|--:|--:|--:|--:|")?;
        let mut spent = [false; 2];
        for &n in choice.sizes_of(family.sizes) {
            let all = ask(family, n, Until::AllAnswered, &mut spent[0], choice.limit);
            let first = ask(family, n, Until::Violated, &mut spent[1], choice.limit);
            let seconds = |answer: &Option<(RobustReport, f64)>, until| match answer {
                Some((report, seconds)) if decided(report, until) => format!("{seconds:.3}"),
                Some(_) => format!("> {}", choice.limit.as_secs()),
                None => "skipped".to_owned(),
            };
            let counts = match &all {
                Some((report, _)) if decided(report, Until::AllAnswered) => format!(
                    "{} | {} | {} | {} | {} | {}",
                    report.candidates(),
                    report.pruned().len(),
                    report.infeasible(),
                    report.feasible().count(),
                    report.stats().states.unwrap_or(0),
                    report.stats().queries.unwrap_or(0),
                ),
                Some(_) | None => "– | – | – | – | – | –".to_owned(),
            };
            writeln!(
                out,
                "| {n} | {counts} | {} | {} |",
                seconds(&all, Until::AllAnswered),
                seconds(&first, Until::Violated)
            )?;
            out.flush()?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Whether everything was decided within the time limit.
fn decided(report: &RobustReport, until: Until) -> bool {
    match report.verdict() {
        Verdict::Holds => true,
        Verdict::Violated(_) => until == Until::Violated || report.is_complete(),
        Verdict::HoldsWithin(_) | Verdict::Unknown(_) => false,
    }
}

fn ask(
    family: &Family,
    n: u32,
    until: Until,
    spent: &mut bool,
    limit: Duration,
) -> Option<(RobustReport, f64)> {
    if *spent {
        return None;
    }
    let text = family.text(n);
    let parsed = parse(&text);
    let program = parsed
        .program
        .unwrap_or_else(|| panic!("{}, n = {n}: {:?}", family.name, parsed.diagnostics));
    let options = RobustOptions::new(Model::Tso).until(until);
    let start = Instant::now();
    let report = within(limit, |budget| robust(&program, &options, budget))
        .unwrap_or_else(|defect| panic!("{}, n = {n}: {defect}", family.name));
    let seconds = start.elapsed().as_secs_f64();
    *spent = !decided(&report, until);
    let robust = report.verdict() == Verdict::Holds;
    let known = family.known.robust();
    assert!(
        *spent || known.is_none_or(|known| known == robust),
        "{}, n = {n}: a wrong answer",
        family.name
    );
    Some((report, seconds))
}
