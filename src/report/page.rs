//! Results as pages of HTML: one file that needs nothing else, to attach to a mail or a pull request.
//!
//! A page contains everything as text: the result, the source, each execution as a table, and its picture.
//! A script adds what moves: a slider over the steps, with the current line of the source, the buffers and
//! the memory beside it; fences to remove; filters for a table of results.
//!
//! **Invariant.** No text from outside is part of the markup or of the script: it is escaped in elements,
//! and in the data of the script, which creates text only. A page loads nothing, which its content security
//! policy also says.

mod execution;
mod html;

use super::draw;
use super::text;
use super::text::fences::explained;
use super::view::{CorpusFile, FencesView, LineResult, Report, RobustView};
use super::{ShownRun, Source};
use crate::visible::visible;
use execution::Execution;
use html::{Html, element};

/// The page of a result.
pub fn report(report: &Report<'_>) -> String {
    let mut html = Html::new(&text::headline(report));
    match report {
        Report::Check(view) => {
            let source = &view.common.source;
            html.lead(source, &text::headline(report));
            let runs = view.evidence.iter().map(|shown| {
                let title = match shown.goal {
                    Some(goal) => shown.source.goal_reached(goal),
                    None => "A value leaves 32 bits".to_owned(),
                };
                Execution::new(*shown, title)
            });
            html.executions(source, &runs.collect::<Vec<_>>());
        }
        Report::Robust(view) => {
            html.lead(&view.common.source, &text::headline(report));
            html.executions(&view.common.source, &attacks(view));
        }
        Report::Races(view) => {
            let source = &view.common.source;
            html.lead(source, &text::headline(report));
            let runs = view.found().map(|(race, run)| {
                Execution::new(
                    ShownRun::new(*source, run),
                    text::races::words(source, race),
                )
            });
            html.executions(source, &runs.collect::<Vec<_>>());
        }
        Report::Fences(view) => {
            html.lead(&view.common.source, &text::headline(report));
            fences(&mut html, view);
        }
        Report::Corpus(_) | Report::Unread(_) | Report::Failed(_) => {}
    }
    html.finish()
}

/// The computations of the attacks or, without attacks, that of the definition.
fn attacks<'a>(view: &RobustView<'a>) -> Vec<Execution<'a>> {
    let attacks = view.feasible.iter().map(|&(attack, run)| {
        let shown = view.shown(run);
        let title = text::robust::attack_words(attack, &shown);
        Execution::new(shown, title)
    });
    let mut runs: Vec<Execution<'_>> = attacks.collect();
    if runs.is_empty()
        && let Some(run) = view.witness
    {
        let title = "An execution that is not possible under SC".to_owned();
        runs.push(Execution::new(view.shown(run), title));
    }
    runs
}

/// The change, the fences with what each prevents, and what remains possible.
fn fences(html: &mut Html, view: &FencesView<'_>) {
    let source = &view.common.source;
    let mut runs: Vec<Execution<'_>> = Vec::new();
    if view.found.is_some() {
        let mut toggles: Vec<(String, Option<usize>)> = Vec::new();
        for (number, chosen) in view.set.iter().enumerate() {
            let run = chosen.needed.map(|needed| {
                let title = format!("Without fence {}", number + 1);
                runs.push(Execution::new(view.without(needed), title));
                runs.len() - 1
            });
            toggles.push((explained(view, chosen), run));
        }
        html.toggles(&toggles);
    }
    if let Some(shown) = view.evidence {
        let title = "No fence prevents this".to_owned();
        runs.push(Execution::new(shown, title));
    }
    if let Some(changed) = view.repair.diff.filter(|diff| !diff.is_empty()) {
        html.difference(changed);
    }
    html.executions(source, &runs);
}

/// The automata of a program as a page.
pub fn automata(source: &Source<'_>) -> String {
    let mut html = Html::new(source.program.name());
    html.lead(source, source.program.name());
    html.image(&draw::automata(source.program));
    html.finish()
}

/// The results of a corpus as a page with a table.
pub fn corpus(files: &[CorpusFile]) -> String {
    let mut html = Html::new("Results of the corpus");
    let mut rows: Vec<String> = Vec::new();
    let mut counts = [0_usize; 3];
    for file in files {
        for line in &file.lines {
            let (class, why) = match &line.result {
                LineResult::Met => (0, String::new()),
                LineResult::Missed { .. } => (1, line.result.to_string()),
                LineResult::NotRun(why) => (2, why.clone()),
            };
            counts[class] += 1;
            let number = if line.number == 0 {
                String::new()
            } else {
                line.number.to_string()
            };
            let seconds = line.seconds.map_or(String::new(), |s| format!("{s:.2}"));
            let cells = [
                &file.name,
                &number,
                &line.text,
                &line.result.word().to_owned(),
                &why,
                &seconds,
            ];
            let cells: Vec<String> = cells.iter().map(|cell| element("td", "", cell)).collect();
            rows.push(format!("<tr class=\"r{class}\">{}</tr>\n", cells.concat()));
        }
    }
    html.results(&rows.concat(), counts);
    html.finish()
}

/// The lines of a diff with their classes.
fn diff_lines(changed: &str) -> String {
    let lines = changed.lines().map(|line| {
        let class = match line.as_bytes().first() {
            Some(b'+') => "added",
            Some(b'-') => "removed",
            Some(b'@') => "at",
            Some(_) | None => "",
        };
        element("span", class, &visible(line))
    });
    lines.collect::<Vec<_>>().join("\n")
}
