//! Answers of the library that print themselves, in the words of the text report.
//!
//! Answers refer to parts of a program by number. A [`Source`], which is the
//! program and perhaps its text, names them. Hints about the command line are left out.

use super::evidence::{RunStep, step};
use super::view::{CheckView, FencesView, Repair, Report, RobustView};
use super::{Detail, Measured, Source, Style, text};
use crate::check::CheckReport;
use crate::fences::FenceReport;
use crate::reference::Run;
use crate::robustness::RobustReport;
use std::fmt;

/// An answer that [`Source::show`] puts into words.
pub trait Answer {
    /// What there is to say about it.
    #[doc(hidden)]
    fn report<'a>(&'a self, source: Source<'a>) -> Report<'a>;
}

impl Answer for CheckReport {
    fn report<'a>(&'a self, source: Source<'a>) -> Report<'a> {
        let mut view = CheckView::new(source, self, Measured::default());
        view.common.next = None;
        Report::Check(Box::new(view))
    }
}

impl Answer for RobustReport {
    fn report<'a>(&'a self, source: Source<'a>) -> Report<'a> {
        let mut view = RobustView::new(source, self, Measured::default());
        view.common.next = None;
        Report::Robust(Box::new(view))
    }
}

impl Answer for FenceReport {
    fn report<'a>(&'a self, source: Source<'a>) -> Report<'a> {
        let repair = Repair::default();
        let mut view = FencesView::new(source, self, None, repair, Measured::default());
        view.common.next = None;
        Report::Fences(Box::new(view))
    }
}

impl<'a> Source<'a> {
    /// An answer about the program in words, with names: the verdict and its evidence, or the fences and
    /// what each is needed for. `{:#}` adds local steps and figures.
    pub fn show(self, answer: &'a impl Answer) -> impl fmt::Display {
        shown(move || answer.report(self))
    }

    /// The steps of an execution of the program, oldest first, with names.
    pub fn steps(self, run: &'a Run) -> impl Iterator<Item = RunStep<'a>> {
        run.moments.iter().map(move |moment| step(&self, moment))
    }
}

/// A report as text, without a line break at the end.
fn shown<'a>(report: impl Fn() -> Report<'a>) -> impl fmt::Display {
    fmt::from_fn(move |f| {
        let style = Style {
            width: 100,
            color: false,
            detail: if f.alternate() {
                Detail::Everything
            } else {
                Detail::Evidence
            },
        };
        f.write_str(text::write(&report(), style).trim_end())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, check};
    use crate::fences::{FenceOptions, cheapest_fences};
    use crate::formats::parse;
    use crate::model::Model;
    use crate::program::{Aim, Program};
    use crate::robustness::{RobustOptions, robust};
    use crate::verdict::{Bounds, Budget, Reason, Verdict};

    const TEXT: &str = "shared x, y;
thread t0 { local r; x = 1; r = y; }
thread t1 { local r; y = 1; r = x; }
final assert t0.r == 1 || t1.r == 1;";

    fn program() -> Program {
        parse(TEXT).into_program().expect("the text has no errors")
    }

    fn checked(program: &Program) -> CheckReport {
        let options = CheckOptions::new(Model::Tso);
        check(program, &options, &Budget::default()).expect("no internal error")
    }

    #[test]
    fn answers_name_the_parts_of_the_program_and_no_commands() {
        let program = program();
        let report = robust(
            &program,
            &RobustOptions::new(Model::Tso),
            &Budget::default(),
        );
        let robust = report.expect("no internal error");
        let options = FenceOptions::new(Model::Tso, Aim::Robustness);
        let report = cheapest_fences(&program, &options, &Budget::default());
        let fences = report.expect("no internal error");
        let source = Source::of(&program).text(TEXT);
        let checked = checked(&program);
        for text in [
            source.show(&checked).to_string(),
            source.show(&robust).to_string(),
            source.show(&fences).to_string(),
        ] {
            assert!(text.contains("under TSO"), "{text}");
            assert!(text.contains("t0") && text.contains("r = y"), "{text}");
            assert!(!text.contains("fencepost"), "{text}");
            assert!(!text.ends_with('\n'), "{text}");
        }
        let without_text = Source::of(&program).show(&checked).to_string();
        assert!(without_text.contains("r <- mem[y]"), "{without_text}");
        let figures = format!("{:#}", Source::of(&program).show(&checked));
        assert!(figures.len() > without_text.len(), "{figures}");
    }

    #[test]
    fn a_violation_that_is_not_found_under_sc_is_not_said_to_be_impossible() {
        let program = program();
        let compared = |under_sc: Verdict<()>| {
            let report = checked(&program).compared(under_sc);
            Source::of(&program).show(&report).to_string()
        };
        let within = compared(Verdict::HoldsWithin(Bounds::default()));
        let bounded = "Under SC this was not found, within bounds: loops were cut off.";
        assert!(within.contains(bounded), "{within}");
        let open = compared(Verdict::Unknown(Reason::Stopped));
        assert!(open.contains("under SC, too, is not known"), "{open}");
        for text in [within, open] {
            assert!(!text.contains("cannot happen"), "{text}");
        }
    }

    #[test]
    fn steps_have_names_lines_and_values() {
        let program = program();
        let report = checked(&program);
        let run = report.run().expect("store buffering is reached under TSO");
        let steps: Vec<RunStep> = Source::of(&program).text(TEXT).steps(run).collect();
        // Both loads return 0, and both stores of 1 reach memory.
        for (thread, line, statement) in [("t0", 2, "r = y"), ("t1", 3, "r = x")] {
            let load = |step: &&RunStep| step.thread == thread && step.text.starts_with(statement);
            let load = steps.iter().find(load).expect("the thread loads");
            assert_eq!((load.line, load.value), (Some(line), Some(0)), "{load}");
            let arrival = |step: &&RunStep| step.thread == thread && step.effect.contains("memory");
            let arrival = steps.iter().find(arrival).expect("the store arrives");
            assert_eq!(
                (arrival.line, arrival.value),
                (Some(line), Some(1)),
                "{arrival}"
            );
        }
        let without_text: Vec<RunStep> = Source::of(&program).steps(run).collect();
        assert_eq!(without_text.len(), steps.len());
        assert!(without_text.iter().any(|step| step.text == "r <- mem[y]"));
    }
}
