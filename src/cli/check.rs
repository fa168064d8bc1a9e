//! `fencepost check`: assertions, forbidden states, and the conditions of litmus tests.

use super::certificate::{self, Requested};
use super::driver::{Request, Session, Verification};
use super::exit::{Bounded, Exit};
use super::input::Input;
use super::program::ProgramArgs;
use super::values::{DrawTo, drawing, drawing_or, model, named};
use super::{Global, output, streams};
use crate::certificate::of_check;
use crate::check::{
    CheckOptions, CheckReport, Engine, Extension, check, check_under_sc, minimised,
};
use crate::formats::{Format, LitmusTest};
use crate::litmus::{FinalStates, LitmusReport};
use crate::model::Model;
use crate::program::Overlap;
use crate::report::draw::Drawing;
use crate::report::{CheckView, Measured, Report, page};
use crate::verdict::{Defect, Reason, Verdict};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Args, Debug)]
pub(super) struct Check {
    #[command(flatten)]
    program: ProgramArgs,
    /// Memory models, as a list or repeated; the worst verdict determines the exit code
    #[arg(long, value_delimiter = ',', default_value = "tso", value_parser = model())]
    model: Vec<Model>,
    /// Engine to use
    #[arg(long, default_value = "auto", value_parser = named(Engine::ALL.iter().copied(), Engine::name))]
    engine: Engine,
    /// Loop bound of the bounded engine
    #[arg(long, value_name = "N")]
    unroll: Option<u32>,
    /// What a load of several cells does while an own store that is buffered has some of them, and not all: it combines
    /// both (what is weaker), or waits for the store; see `fencepost help words`
    #[arg(long, default_value = "combine", value_parser = named(Overlap::ALL, Overlap::name))]
    overlapping_loads: Overlap,
    /// How the lazy engine adds store buffering to the program
    #[arg(long, default_value = "exact", value_parser = named(Extension::ALL.iter().copied(), Extension::name))]
    extension: Extension,
    /// List the clauses of the invariant by which the inductive engine (`ic3`) proved what holds
    #[arg(long)]
    show_invariant: bool,
    /// Fail if the program states no property: no assertion, and no `forbid` or the like
    #[arg(long)]
    require_properties: bool,
    /// Exit with 0 if no violation was found within bounds
    #[arg(long)]
    accept_bounded: bool,
    /// Draw the execution of the violation or observation into this file: a picture (`.svg`), its
    /// happens-before cycle for Graphviz (`.dot`), or a page on which it can be followed (`.html`)
    #[arg(long, value_name = "OUT", value_parser = drawing)]
    draw: Option<DrawTo>,
    /// An older name of `--draw`: in DOT, if the name of the file does not end otherwise
    #[arg(long, value_name = "OUT", hide = true, value_parser = drawing_or(Drawing::Dot))]
    cycle: Option<DrawTo>,
    /// Write the racing core of the first violation or observation to this file, as an x86 litmus
    /// test; `-` for standard output
    #[arg(long, value_name = "OUT")]
    litmus: Option<PathBuf>,
    /// Write evidence that others can check with `fencepost-verify` to this file, if the answer is positive
    /// and not too large for that
    #[arg(long, value_name = "OUT")]
    certificate: Option<PathBuf>,
}

/// The result for one model, and the certificate that was requested.
pub(super) struct Answer {
    result: Kind,
    certificate: Option<Requested>,
}

enum Kind {
    Plain(CheckReport),
    Litmus(LitmusTest, LitmusReport),
}

impl Answer {
    fn report(&self) -> &CheckReport {
        match &self.result {
            Kind::Plain(report) => report,
            Kind::Litmus(_, answer) => &answer.check,
        }
    }
}

impl Check {
    pub(super) fn program_mut(&mut self) -> &mut ProgramArgs {
        &mut self.program
    }
}

impl Verification for Check {
    const NAME: &'static str = "check";

    type Setting = ();
    type Answer = Answer;

    fn writes(&self) -> Option<&'static str> {
        let files = [
            (self.draw.is_some(), "--draw"),
            (self.cycle.is_some(), "--cycle"),
            (self.litmus.is_some(), "--litmus"),
            (self.certificate.is_some(), "--certificate"),
        ];
        output::first_given(&files)
    }

    fn program(&self) -> &ProgramArgs {
        &self.program
    }

    fn models(&self) -> &[Model] {
        &self.model
    }

    fn contradiction(&self, models: &[Model], _: &Global) -> Option<String> {
        output::draws_one(self.draw.as_ref(), models)
            .or_else(|| certificate::is_for_one(self.certificate.as_deref(), models))
    }

    fn prepare(&self, input: Arc<Input>, _: &Session) -> Result<(Arc<Input>, ()), Exit> {
        let input = input.with_overlap(self.overlapping_loads);
        let program = &input.program;
        let of = &input.file;
        // A program in C has `main`, even if it does nothing.
        if program.thread_ids().next().is_none()
            && !matches!(input.format, Format::C | Format::Rust)
        {
            streams::print_message(&format!(
                "error: `{of}` has no thread, so there is nothing to check"
            ));
            return Err(Exit::Usage);
        }
        if program.states_property() {
            return Ok((input, ()));
        }
        let message = if input.format == Format::Fence {
            "the program has no property: nothing was checked but the addresses that it accesses and \
             what it divides by; write `assert(e);`, `forbid e;`, `final assert e;` or `exists e;`"
        } else {
            "the program has no property: it asserts nothing"
        };
        if self.require_properties {
            streams::print_message(&format!("error: `{of}`: {message}"));
            return Err(Exit::Usage);
        }
        // What a program in C accesses is checked in any case, and usually all that is wanted.
        if !matches!(input.format, Format::C | Format::Rust) {
            streams::print_message(&format!("warning: `{of}`: {message}"));
        }
        Ok((input, ()))
    }

    fn verify(&self, request: &Request<'_, ()>, model: Model) -> Result<Answer, Exit> {
        let Global { solver, .. } = request.session.global;
        let (input, limits) = (&request.input, request.session.limits);
        // What a thread of a C program waits for is modelled for `--forbid-stuck` only, so it has to be read again.
        let is_read_again = matches!(input.format, Format::C | Format::Rust) && request.is_shown();
        let note_waiting =
            !matches!(input.format, Format::C | Format::Rust) && input.litmus.is_none();
        let options = CheckOptions::new(model)
            .engine(self.engine)
            .unroll(self.unroll)
            .extension(self.extension)
            .solver(solver)
            .techniques(request.session.global.techniques())
            .note_waiting(note_waiting);
        let (of, with) = (Arc::clone(input), options.clone());
        let ended = limits.run(move |budget| {
            let program = &of.program;
            let report = minimised(check(program, &with, budget)?, program, budget)?;
            if is_read_again {
                report.noting_waiting(|| of.asking_for_waits(), &with, budget)
            } else {
                Ok(report)
            }
        });
        let undecided = |reason: &Reason| CheckReport::undecided(&input.program, &options, reason);
        let report = ended.answered(undecided)?;
        let (from, of) = (Arc::clone(input), report.clone());
        let certificate =
            certificate::requested(self.certificate.as_deref(), limits, move |budget| {
                of_check(&from.program, &of, budget)
            })?;
        let is_shown = request.is_shown() || output::is_page(self.draw.as_ref());
        let answer = |result| Answer {
            result,
            certificate,
        };
        let Some(test) = &input.litmus else {
            return Ok(answer(Kind::Plain(compared(
                request, is_shown, &options, report,
            ))));
        };
        let (from, of) = (Arc::clone(input), test.clone());
        let ended = limits.run(move |budget| {
            Ok::<_, Defect>(FinalStates::explore(&from.program, &of, model, budget))
        });
        let states = ended.answered(|reason| FinalStates::unknown(reason.clone()))?;
        match LitmusReport::new(test, report, states) {
            // The final states answer for the condition; the rest is shown like that of a program.
            Ok(mut report) => {
                if report.leaves_memory() || report.waits() {
                    report.check = compared(request, is_shown, &options, report.check);
                }
                Ok(answer(Kind::Litmus(test.clone(), report)))
            }
            Err(defect) => {
                streams::report_defect(&defect);
                Err(Exit::Internal)
            }
        }
    }

    fn report<'a>(
        &'a self,
        request: &'a Request<'_, ()>,
        answer: &'a Answer,
        measured: Measured,
    ) -> Report<'a> {
        let litmus = match &answer.result {
            Kind::Plain(_) => None,
            Kind::Litmus(test, report) => Some((test, report)),
        };
        let view = CheckView::new(request.input.source(), answer.report(), measured)
            .with_litmus(litmus)
            .listing_invariant(self.show_invariant)
            .one_of_several(request.models.len() > 1)
            .certified(answer.certificate.as_ref().map(Requested::shown));
        Report::Check(Box::new(view))
    }

    fn exit(&self, answer: &Answer) -> Exit {
        let bounded = Bounded::new(self.accept_bounded);
        match &answer.result {
            Kind::Plain(report) => Exit::of(&report.verdict(), bounded),
            Kind::Litmus(_, report) => Exit::of(&report.verdict(), bounded),
        }
    }

    fn afterwards(&self, request: &Request<'_, ()>, answer: &Answer) -> Exit {
        if let Kind::Litmus(test, report) = &answer.result {
            warn_of_missing_states(test, report);
        }
        let source = request.input.source();
        let view = CheckView::new(source, answer.report(), Measured::default());
        let run = view.run();
        let page = || page::report(&self.report(request, answer, Measured::default()));
        let drawn = output::draw(self.draw.as_ref(), run.as_ref(), page);
        let certified = certificate::write(answer.certificate.as_ref());
        drawn
            .worst(output::draw(self.cycle.as_ref(), run.as_ref(), page))
            .worst(certified)
            .worst(output::write_core(self.litmus.as_deref(), run.as_ref()))
    }
}

/// The part of the time that is left for the comparison of a violation with SC.
const COMPARING: u32 = 4;

/// The report, with the answer whether its violation can happen under SC too, if it will be shown.
/// Whatever the outcome, the report itself remains as it is.
fn compared(
    request: &Request<'_, ()>,
    is_shown: bool,
    options: &CheckOptions,
    report: CheckReport,
) -> CheckReport {
    let Verdict::Violated((goal, _)) = report.verdict() else {
        return report;
    };
    if options.model == Model::Sc || !is_shown {
        return report;
    }
    let limits = request.session.limits.part(COMPARING);
    let (input, options) = (Arc::clone(&request.input), options.clone());
    let ended = limits.run(move |budget| check_under_sc(&input.program, goal, &options, budget));
    match ended.answered(|reason| Verdict::Unknown(reason.clone())) {
        Ok(under_sc) => report.compared(under_sc),
        // The defect is of the comparison, and has been printed.
        Err(_) => report,
    }
}

/// Warns if the list of final states is incomplete or empty.
fn warn_of_missing_states(test: &LitmusTest, report: &LitmusReport) {
    let (name, model, states) = (&test.name, report.check.model, &report.states);
    match &states.incomplete {
        Some(reason) => streams::print_message(&format!(
            "the final states of `{name}` under {model} are incomplete: {reason}"
        )),
        None if states.count() == 0 => {
            let none = match test.filter {
                None => format!("no execution of `{name}` terminates under {model}"),
                Some(_) => format!("no final state of `{name}` under {model} passes its filter"),
            };
            streams::print_message(&format!("warning: {none}, so its condition is vacuous"));
        }
        None => {}
    }
}
