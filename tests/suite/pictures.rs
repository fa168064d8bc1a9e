//! Pictures of random executions are legible, and pages say what the text says.
//!
//! Texts are as wide as letters of a common font are; none overlaps another one, none is cut by the end of the
//! picture, and no line passes through a text or a box.

use crate::support::{config, random};
use config::config;
use fencepost::Source;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::fences::{FenceOptions, cheapest_fences};
use fencepost::internals::formats::parse;
use fencepost::internals::model::Model;
use fencepost::internals::reference::Run;
use fencepost::internals::report::{
    CheckView, Detail, FencesView, Measured, MessageFormat, Repair, Report, ReportWriter,
    RobustView, ShownRun, Style, draw, page,
};
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::verdict::Budget;
use fencepost::program::{Aim, Program};
use proptest::prelude::*;
use random::{Shape, sketch};
use roxmltree::{Document, Node, ParsingOptions};

/// An axis-parallel part of a picture.
#[derive(Clone, Debug)]
struct Extent {
    #[allow(dead_code, reason = "failures show it")]
    what: String,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Extent {
    /// Whether the two share more than an edge.
    fn meets(&self, other: &Extent) -> bool {
        let apart = self.right <= other.left
            || other.right <= self.left
            || self.bottom <= other.top
            || other.bottom <= self.top;
        !apart
    }
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    let value = node.attribute(name).and_then(|text| text.parse().ok());
    value.unwrap_or_else(|| panic!("{name} of {node:?}"))
}

fn class<'a>(node: Node<'a, '_>) -> &'a str {
    node.attribute("class").unwrap_or_default()
}

/// The texts: a letter of `DejaVu Sans Mono` is 0.602 times as wide as it is high.
fn texts(document: &Document<'_>) -> Vec<Extent> {
    let all = document.descendants();
    all.filter(|node| node.tag_name().name() == "text")
        .map(|node| {
            let text = node.text().unwrap_or_default();
            let size = match class(node) {
                "small" | "label" => 11.0,
                _ => 12.0,
            };
            let (x, y) = (number(node, "x"), number(node, "y"));
            let letters = u32::try_from(text.chars().count()).expect("a short text");
            Extent {
                what: text.to_owned(),
                left: x,
                top: y - 9.0,
                right: x + f64::from(letters) * size * 0.602,
                bottom: y + 3.0,
            }
        })
        .collect()
}

/// The straight parts of the lines, with turns as corners.
fn lines(document: &Document<'_>) -> Vec<Extent> {
    let all = document.descendants();
    let all = all.filter(|node| {
        let kind = class(*node).split(' ').next();
        node.tag_name().name() == "path" && matches!(kind, Some("line" | "hot"))
    });
    let mut found = Vec::new();
    for node in all {
        let path = node.attribute("d").unwrap_or_default();
        let mut line = |(x, y): (f64, f64), (to_x, to_y): (f64, f64)| {
            found.push(Extent {
                what: path.to_owned(),
                left: x.min(to_x) - 0.5,
                top: y.min(to_y) - 0.5,
                right: x.max(to_x) + 0.5,
                bottom: y.max(to_y) + 0.5,
            });
            (to_x, to_y)
        };
        let mut at = (0.0, 0.0);
        for (command, numbers) in commands(path) {
            match (command, numbers.as_slice()) {
                ('M', &[x, y]) => at = (x, y),
                ('H', &[x]) => at = line(at, (x, at.1)),
                ('V', &[y]) => at = line(at, (at.0, y)),
                ('Q', &[corner_x, corner_y, x, y]) => {
                    at = line(at, (corner_x, corner_y));
                    at = line(at, (x, y));
                }
                other => panic!("{other:?} in {path}"),
            }
        }
    }
    found
}

/// The commands of a path, with their numbers.
fn commands(path: &str) -> Vec<(char, Vec<f64>)> {
    let mut commands = Vec::new();
    let mut rest = path;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_ascii_alphabetic());
        let end = end.map_or(rest.len(), |at| at + 1);
        let numbers = rest[1..end].split_whitespace();
        let numbers = numbers.map(|n| n.parse().expect("a number")).collect();
        commands.push((command, numbers));
        rest = &rest[end..];
    }
    commands
}

/// The boxes of accesses, without their borders.
fn boxes(document: &Document<'_>) -> Vec<Extent> {
    let all = document.descendants();
    all.filter(|node| node.tag_name().name() == "rect" && class(*node) != "bg")
        .map(|node| {
            let (x, y) = (number(node, "x"), number(node, "y"));
            Extent {
                what: class(node).to_owned(),
                left: x + 1.5,
                top: y + 1.5,
                right: x + number(node, "width") - 1.5,
                bottom: y + number(node, "height") - 1.5,
            }
        })
        .collect()
}

/// The picture is legible.
fn is_legible(svg: &str) -> Result<(), TestCaseError> {
    let document = Document::parse(svg).expect("a picture is well-formed");
    let root = document.root_element();
    let (width, height) = (number(root, "width"), number(root, "height"));
    let (texts, lines, boxes) = (texts(&document), lines(&document), boxes(&document));
    for (index, text) in texts.iter().enumerate() {
        let inside = text.left >= 0.0 && text.top >= 0.0;
        prop_assert!(
            inside && text.right <= width && text.bottom <= height,
            "{text:?} is cut: {svg}"
        );
        let other = texts[index + 1..].iter().find(|other| text.meets(other));
        prop_assert!(other.is_none(), "{text:?} and {other:?}: {svg}");
        let line = lines.iter().find(|line| text.meets(line));
        prop_assert!(line.is_none(), "{text:?} and {line:?}: {svg}");
    }
    for one in &boxes {
        let line = lines.iter().find(|line| one.meets(line));
        prop_assert!(line.is_none(), "{one:?} and {line:?}: {svg}");
    }
    Ok(())
}

fn budget() -> Budget {
    Budget::default().with_states(20_000)
}

fn are_legible(program: &Program) -> Result<(), TestCaseError> {
    let source = Source::of(program);
    let drawn = |run: &Run| match draw::execution(&ShownRun::new(source, run)) {
        Some(svg) => is_legible(&svg),
        None => Ok(()),
    };
    for model in [Model::Tso, Model::Pso] {
        let report = robust(program, &RobustOptions::new(model), &budget());
        let report = report.expect("no internal error");
        for (_, run) in report.feasible() {
            drawn(run)?;
        }
        let options = CheckOptions::new(model).engine(Engine::Explicit);
        let report = check(program, &options, &budget()).expect("no internal error");
        for answer in &report.answers {
            if let Some(run) = answer.verdict.violation() {
                drawn(run)?;
            }
        }
    }
    Ok(())
}

/// The text without what is laid out differently: quotes of code, and space.
fn bare(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != '`')
        .collect()
}

/// Whether a line of a text begins with the number of a step.
fn is_step(line: &str) -> bool {
    let rest = line.trim_start();
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = after.strip_prefix('*').unwrap_or(after);
    after.len() < rest.len() && (after.is_empty() || after.starts_with("  "))
}

/// The page says what the text says, apart from the steps, which have a table of their own.
fn says_the_same(report: &Report<'_>) -> Result<(), TestCaseError> {
    let style = Style {
        width: 10_000,
        color: false,
        detail: Detail::Everything,
    };
    let mut writer = ReportWriter::new(MessageFormat::Text, style);
    let text = writer.add(report).expect("it is written");
    let html = page::report(report);
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(&html, options).expect("a page is well-formed");
    let body = document
        .descendants()
        .find(|node| node.tag_name().name() == "body")
        .expect("a page has a body");
    let said: String = body
        .descendants()
        .filter_map(|node| node.text().filter(|_| node.is_text()))
        .collect();
    let said = bare(&said);
    let lines: Vec<&str> = text.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let heads_steps = lines.get(number + 1).is_some_and(|next| is_step(next));
        // An execution without steps has the head of a table in a text only.
        let is_head = bare(line) == "threadstep";
        if !is_step(line) && !heads_steps && !is_head {
            // Titles of executions are no introductions on a page.
            let wanted = bare(line.trim_end_matches(':'));
            prop_assert!(said.contains(&wanted), "`{line}` is missing in `{said}`");
        }
    }
    Ok(())
}

fn say_the_same(program: &Program) -> Result<(), TestCaseError> {
    let source = Source::of(program);
    let measured = Measured::default();
    let checked = check(program, &CheckOptions::new(Model::Tso), &budget());
    let checked = checked.expect("no internal error");
    says_the_same(&Report::Check(Box::new(CheckView::new(
        source, &checked, measured,
    ))))?;
    let robust = robust(program, &RobustOptions::new(Model::Tso), &budget());
    let robust = robust.expect("no internal error");
    says_the_same(&Report::Robust(Box::new(RobustView::new(
        source, &robust, measured,
    ))))?;
    for aim in [Aim::Robustness, Aim::Assertions] {
        let report = cheapest_fences(program, &FenceOptions::new(Model::Tso, aim), &budget());
        let report = report.expect("no internal error");
        let view = FencesView::new(source, &report, None, Repair::default(), measured);
        says_the_same(&Report::Fences(Box::new(view)))?;
    }
    Ok(())
}

/// Threads that store and load three cells: most programs have cycles of several shapes.
fn racing() -> impl Strategy<Value = Program> {
    let step = (any::<bool>(), 0..3_usize, 0..2_u32);
    let thread = prop::collection::vec(step, 2..6);
    prop::collection::vec(thread, 2..5).prop_map(|threads| {
        let names = ["x", "y", "a_long_name[1]"];
        let threads = threads.iter().zip(0..).map(|(steps, number)| {
            let steps = steps.iter().map(|&(stores, cell, value)| {
                let cell = names[cell];
                if stores {
                    format!("    {cell} = {value};\n")
                } else {
                    format!("    r = {cell};\n")
                }
            });
            let steps: String = steps.collect();
            format!("thread t{number} {{ local r;\n{steps}}}\n")
        });
        let threads: String = threads.collect();
        let text = format!("shared x, y, a_long_name[2];\n{threads}");
        parse(&text)
            .program
            .unwrap_or_else(|| panic!("it parses: {text}"))
    })
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn pictures_of_cycles_are_legible(program in racing()) {
        are_legible(&program)?;
    }

    #[test]
    fn pictures_of_executions_are_legible(sketch in prop_oneof![sketch(Shape::ALL), sketch(Shape::COUNTING)]) {
        are_legible(&sketch.build())?;
    }

    #[test]
    fn pages_say_what_the_text_says(sketch in prop_oneof![sketch(Shape::ALL), sketch(Shape::ACYCLIC)]) {
        say_the_same(&sketch.build())?;
    }
}
