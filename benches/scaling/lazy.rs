//! The table of lazy reachability: its cost as the families of [`families`](super::families) grow, compared
//! with the engines that model every buffer.
//!
//! Queries are goals and attacks checked under SC, as \[BCDM15\] counts them. If an engine times out on
//! a member, it skips the larger members of the family.

use crate::families::{FAMILIES, Family};
use crate::measure::within;
use crate::table::Choice;
use fencepost::internals::check::{CheckOptions, CheckReport, Engine, check};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Verdict;
use std::io::{self, Write};
use std::time::{Duration, Instant};

const ENGINES: [Engine; 3] = [Engine::Lazy, Engine::Bmc, Engine::Explicit];

/// Measures the chosen members and writes one table per family.
///
/// # Errors
///
/// If writing fails.
pub(crate) fn write(out: &mut impl Write, choice: &Choice) -> io::Result<()> {
    for family in FAMILIES.iter().filter(|family| choice.names(family.name)) {
        writeln!(out, "### {} under TSO\n", family.name)?;
        writeln!(
            out,
            "| n | verdict | rounds | queries | formulas and searches | states | lazy s | bmc s | \
             explicit s |"
        )?;
        writeln!(out, "|--:|---|--:|--:|--:|--:|--:|--:|--:|")?;
        let mut spent = [false; ENGINES.len()];
        for &n in choice.sizes_of(family.sizes) {
            let answers: Vec<Option<(CheckReport, f64)>> = ENGINES
                .into_iter()
                .zip(&mut spent)
                .map(|(engine, spent)| ask(family, n, engine, spent, choice.limit))
                .collect();
            let seconds = answers.iter().map(|answer| match answer {
                Some((report, seconds)) if is_decided(report) => format!("{seconds:.3}"),
                Some((report, _)) => report.verdict().word().to_owned(),
                None => "skipped".to_owned(),
            });
            let seconds: Vec<String> = seconds.collect();
            let lazy = answers[0].as_ref().and_then(|(report, _)| {
                let history = report.history()?;
                Some(format!(
                    "{} | {} | {} | {} | {}",
                    report.verdict().word(),
                    history
                        .attempts
                        .iter()
                        .map(|attempt| attempt.rounds.len())
                        .sum::<usize>(),
                    history.questions(),
                    history.queries(),
                    report.stats().states.unwrap_or(0),
                ))
            });
            let lazy = lazy.unwrap_or_else(|| "– | – | – | – | –".to_owned());
            writeln!(out, "| {n} | {lazy} | {} |", seconds.join(" | "))?;
            out.flush()?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn is_decided(report: &CheckReport) -> bool {
    matches!(report.verdict(), Verdict::Holds | Verdict::Violated(_))
}

fn ask(
    family: &Family,
    n: u32,
    engine: Engine,
    spent: &mut bool,
    limit: Duration,
) -> Option<(CheckReport, f64)> {
    if *spent {
        return None;
    }
    let program = parse(&family.text(n))
        .program
        .expect("a family is written in the language");
    let options = CheckOptions::new(Model::Tso).engine(engine);
    let started = Instant::now();
    let report = within(limit, |budget| check(&program, &options, budget));
    let report = report.expect("evidence replays");
    *spent = !is_decided(&report);
    Some((report, started.elapsed().as_secs_f64()))
}
