//! The report on fences.
//!
//! ```text
//! 2 fences make the program robust under TSO, for all executions; nothing cheaper does.
//!   t0: a fence before `r = y;` (line 5); without it t0 delays `x = 1;` (line 4) past `r = y;` …
//!   …
//! ```

use super::super::paper::{Color, Paper};
use super::super::{Detail, Measured, Source, Style};
use super::robust::delays;
use super::{bounds_words, counted};
use crate::encode::FenceKind;
use crate::fences::pairs::PairAnswer;
use crate::fences::{FenceReport, Outcome, Place, Proof, Sets, Shortfall};
use crate::program::Site;
use crate::syntax::Aim;
use crate::verdict::Reason;

/// No more sets than this are listed, unless everything is asked for.
const SHOWN: usize = 20;

/// The report on fences, each line ended. `other`: the report for the other aim.
pub fn fences(
    source: &Source<'_>,
    report: &FenceReport,
    other: Option<&FenceReport>,
    measured: &Measured,
    style: Style,
) -> String {
    let mut out = Paper::new(style);
    let color = match report.outcome {
        Outcome::Found(_) => Color::Good,
        Outcome::Impossible { .. } => Color::Bad,
        Outcome::Undecided(_) => Color::Open,
    };
    out.sentence(&sentence(source, report), color);
    if style.detail == Detail::Verdict {
        return out.text;
    }
    match &report.outcome {
        Outcome::Found(found) => {
            pairs(&mut out, source, report);
            set(&mut out, source, report, found);
            alternatives(&mut out, source, found, style);
        }
        Outcome::Impossible { shortfall, .. } => {
            let goal = match shortfall {
                Shortfall::Goal { goal, .. } => Some(*goal),
                Shortfall::Attack { .. } | Shortfall::Cycle(_) => None,
            };
            out.run(source, goal, shortfall.run());
        }
        Outcome::Undecided(_) => {}
    }
    if let Some(other) = other {
        out.blank();
        out.paragraph(&sentence(source, other));
        if let Outcome::Found(found) = &other.outcome {
            for place in &found.sets[0] {
                out.item(&format!("{}.", words(source, place)));
            }
        }
    }
    if let Some(next) = next_step(source, report) {
        out.blank();
        out.paragraph(&format!("Next: {next}"));
    }
    if style.detail == Detail::Everything {
        let (places, probes, cuts) = (report.places as u64, report.probes, report.cuts);
        out.blank();
        out.paragraph(&format!(
            "{}: {}, {}, {}.",
            report.algorithm.name(),
            counted(places, "place"),
            counted(probes, "probe"),
            counted(cuts, "cut"),
        ));
        out.figures(None, &report.stats, measured);
    }
    out.text
}

fn sentence(source: &Source<'_>, report: &FenceReport) -> String {
    let model = report.model;
    let aim = match report.aim {
        Aim::Robustness => format!("the program robust under {model}"),
        Aim::Assertions => format!("the program's properties hold under {model}"),
    };
    let is_so = match report.aim {
        Aim::Robustness => format!("The program is robust under {model}"),
        Aim::Assertions => format!("The program's properties hold under {model}"),
    };
    match &report.outcome {
        Outcome::Found(found) => {
            let set = &found.sets[0];
            let lower = report.lower_bound;
            let how = match &found.bounds {
                None => ", for all executions".to_owned(),
                Some(bounds) => format!(
                    ", within bounds ({}; this is not a proof)",
                    bounds_words(source, bounds, None)
                ),
            };
            if set.is_empty() {
                return if report.minimise {
                    format!("{is_so} without any of its fences{how}.")
                } else {
                    format!("{is_so} as it is{how}: no fences are needed.")
                };
            }
            let count: usize = set.iter().map(|place| place.points.len()).sum();
            let verb = if count == 1 { "makes" } else { "make" };
            let cost = if found.cost == count as u64 {
                String::new()
            } else {
                format!(" (cost {})", found.cost)
            };
            let optimal = if found.optimal {
                "nothing cheaper does".to_owned()
            } else if report.pairs.is_some() {
                "the statement pairs below have to stay in order, and no fewer do".to_owned()
            } else {
                format!("whether a cheaper set does is open, down to cost {lower}")
            };
            let changes = counted_changes(set, count);
            if report.minimise {
                let all = report.places;
                let stays = if count == 1 { "has" } else { "have" };
                format!(
                    "Of {} {changes} {stays} to stay{cost} to keep {aim}{how}; {optimal}.",
                    counted(all as u64, "fence place"),
                )
            } else {
                format!("{changes}{cost} {verb} {aim}{how}; {optimal}.")
            }
        }
        Outcome::Impossible {
            sequential: true, ..
        } => format!(
            "Cannot be repaired by fences: under {model} this execution reorders nothing, and \
             happens under sequential consistency too."
        ),
        Outcome::Impossible { .. } if report.minimise => {
            format!("The fences that stand in the program do not make {aim}.")
        }
        Outcome::Impossible { .. } => format!(
            "Cannot be repaired at the places that are allowed: fences at all of them leave this \
             execution under {model}."
        ),
        Outcome::Undecided(reason) => {
            let lower = report.lower_bound;
            let least = if lower > 0 {
                format!(" No set of fences costs less than {lower}.")
            } else {
                String::new()
            };
            format!("Undecided under {model}: {reason}.{least}")
        }
    }
}

/// `2 fences`, `1 fence and 1 exchange`
fn counted_changes(set: &[Place], all: usize) -> String {
    let exchanges = set.iter().filter(|p| p.kind == FenceKind::Exchange);
    let exchanges: usize = exchanges.map(|place| place.points.len()).sum();
    let fences = counted((all - exchanges) as u64, "fence");
    match (all - exchanges, exchanges) {
        (_, 0) => fences,
        (0, n) => counted(n as u64, "exchange"),
        (_, n) => format!("{fences} and {}", counted(n as u64, "exchange")),
    }
}

fn pairs(out: &mut Paper, source: &Source<'_>, report: &FenceReport) {
    let answer = report.pairs.as_ref().map(|report| &report.answer);
    let Some(PairAnswer::Found { pairs, .. }) = answer else {
        return;
    };
    for &(first, second) in pairs {
        out.item(&format!(
            "{}: `{}` ({}) stays before `{}` ({}).",
            source.program.thread(first.thread).name(),
            source.statement(first),
            source.place(first),
            source.statement(second),
            source.place(second),
        ));
    }
}

fn set(out: &mut Paper, source: &Source<'_>, report: &FenceReport, found: &Sets) {
    for (number, place) in found.sets[0].iter().enumerate() {
        let needed = found.needed.iter().find(|needed| needed.place == number);
        let why = needed.map(|needed| match &needed.without {
            Shortfall::Attack { attack, run } => {
                let shape = run.happens_before().shape();
                let shape = shape.map_or(String::new(), |shape| format!(": {shape}"));
                format!("; without it {}{shape}", delays(source, *attack))
            }
            Shortfall::Cycle(_) => "; without it happens-before has a cycle".to_owned(),
            Shortfall::Goal { goal, .. } => {
                format!("; without it {}", source.goal_reached(*goal))
            }
        });
        let why = why.unwrap_or_default();
        let cost = if found.cost == found.sets[0].len() as u64 {
            String::new()
        } else {
            format!(", cost {}", place.cost)
        };
        out.item(&format!("{}{cost}{why}.", words(source, place)));
    }
    let proof = match (found.proof, report.aim) {
        (Some(Proof::Text), _) => Some("the text refutes every attack".to_owned()),
        (Some(Proof::Engine(engine)), Aim::Robustness) => Some(format!(
            "the derived programs have no attack (engine {})",
            engine.name()
        )),
        (Some(Proof::Engine(engine)), Aim::Assertions) => {
            Some(format!("no goal is reached (engine {})", engine.name()))
        }
        (None, _) => None,
    };
    if let Some(proof) = proof
        && !found.sets[0].is_empty()
    {
        out.blank();
        out.paragraph(&format!(
            "Checked again with these fences in place: {proof}."
        ));
    }
}

fn alternatives(out: &mut Paper, source: &Source<'_>, found: &Sets, style: Style) {
    if found.sets.len() < 2 {
        if found.all {
            out.blank();
            out.paragraph("No other set costs as little.");
        }
        return;
    }
    out.blank();
    let known = if found.all { "" } else { "at least " };
    let title = format!("{known}{} sets cost as little:", found.sets.len());
    let title = out.paint(&title, Color::Heading);
    out.lines(&[title]);
    let shown = if style.detail == Detail::Everything {
        usize::MAX
    } else {
        SHOWN
    };
    for set in found.sets.iter().take(shown) {
        let places: Vec<String> = set.iter().map(|place| brief(source, place)).collect();
        out.item(&places.join(", "));
    }
    if found.sets.len() > shown {
        out.item("… (`-v` lists all)");
    }
}

/// `t0: a fence before `r = y;` (line 5)`
fn words(source: &Source<'_>, place: &Place) -> String {
    let threads: Vec<&str> = place.threads(source.program).collect();
    let site = first_site(source, place);
    let statement = source.statement(site);
    let at = source.place(site);
    let what = match place.kind {
        FenceKind::Full => format!("a fence before `{statement}` ({at})"),
        FenceKind::Store => format!("a store fence before `{statement}` ({at})"),
        FenceKind::Exchange => format!("`{statement}` ({at}) as an exchange"),
    };
    format!("{}: {what}", threads.join(", "))
}

/// `t0 line 5`
fn brief(source: &Source<'_>, place: &Place) -> String {
    let threads: Vec<&str> = place.threads(source.program).collect();
    let site = first_site(source, place);
    let kind = match place.kind {
        FenceKind::Full => "",
        FenceKind::Store => " (store fence)",
        FenceKind::Exchange => " (exchange)",
    };
    let (statement, at) = (source.statement(site), source.place(site));
    format!("{} {at} `{statement}`{kind}", threads.join(" and "))
}

/// The first instruction behind the fence.
fn first_site(source: &Source<'_>, place: &Place) -> Site {
    let (thread, loc) = place.points[0];
    let instr = source.program.thread(thread).outgoing(loc)[0];
    Site { thread, instr }
}

fn next_step(source: &Source<'_>, report: &FenceReport) -> Option<String> {
    let (file, model) = (source.file, report.model.name());
    match &report.outcome {
        Outcome::Found(found) if found.bounds.is_some() => Some(format!(
            "`fencepost fence {file} --model {model} --unroll 16` follows loops further."
        )),
        Outcome::Found(found) if found.sets[0].is_empty() && !report.minimise => None,
        Outcome::Found(_) => {
            let minimise = if report.minimise { " --minimise" } else { "" };
            let aim = match report.aim {
                Aim::Robustness => "",
                Aim::Assertions => " --for assertions",
            };
            Some(format!(
                "`fencepost fence {file} --model {model}{aim}{minimise} --diff` shows the change, \
                 `--write OUT` makes it."
            ))
        }
        Outcome::Impossible {
            sequential: true, ..
        } => Some(format!(
            "`fencepost check {file} --model sc` shows the bug without weak memory."
        )),
        Outcome::Impossible { .. } | Outcome::Undecided(Reason::Unsupported(_)) => None,
        Outcome::Undecided(_) => {
            Some("give it more time with `--timeout`, or ask fewer threads.".to_owned())
        }
    }
}
