//! `fencepost fence`: the cheapest fences, for robustness or for the program's own properties.

mod change;
mod conflicts;
mod patch;
mod within;
mod words;

use super::certificate::{self, Requested};
use super::driver::{Request, Session, Stream, Verification};
use super::exit::{Bounded, Exit};
use super::input::Input;
use super::output::PAGES_ONLY;
use super::program::ProgramArgs;
use super::values::{DrawTo, drawing, named, weak_model};
use super::{Global, output, streams};
use crate::certificate::of_fences;
use crate::fences::{
    Algorithm, Costs, FenceOptions, FenceReport, Kinds, cheapest_fences, for_other_aim, has_goals,
};
use crate::formats::Rewritten;
use crate::model::Model;
use crate::program::{Aim, Program};
use crate::report::draw::Drawing;
use crate::report::{FencesView, Fix, Idiom, Measured, Repair, Report, page};
use crate::verdict::{Budget, Defect};
use change::{has_place_inside, is_stdout};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use words::{aim, costs, kinds};

#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is an independent flag")]
pub(super) struct Fence {
    #[command(flatten)]
    program: ProgramArgs,
    /// Memory models, as a list or repeated; the worst verdict determines the exit code
    #[arg(long, value_delimiter = ',', default_value = "tso", value_parser = weak_model())]
    model: Vec<Model>,
    /// What the fences must ensure: `robustness`, or the program's own `assertions`
    #[arg(long = "for", value_name = "AIM", default_value = "robustness", value_parser = aim)]
    aim: Aim,
    /// Search algorithm
    #[arg(long, default_value = "auto", value_parser = named(Algorithm::ALL, Algorithm::name))]
    algorithm: Algorithm,
    /// Cost of a fence: `unit`, `loops` (ten times as much per enclosing loop), `x86` (in cycles: 17 for
    /// a full fence, or 38 if it is `mfence`; 15 for an exchange), `x86,loops`, or a file of places and
    /// costs, such as `t0@l2 5`
    #[arg(long, value_name = "unit|loops|x86|FILE", default_value = "unit")]
    cost: String,
    /// Where the fences will be written, for their spelling (default: what the program uses, if it is in C
    /// or assembly)
    #[arg(long, value_parser = named(Idiom::ALL.iter().copied(), Idiom::name))]
    idiom: Option<Idiom>,
    /// Kinds of fences to insert: `full`, `store`, `xchg` (turns a store into a locked exchange), each
    /// with an optional cost factor, such as `full=3,store,xchg=2`
    #[arg(long, value_name = "LIST", default_value = "full", value_parser = kinds)]
    kinds: Kinds,
    /// Insert fences only into this function, or this file; several as a list or repeated
    #[arg(long, value_delimiter = ',', value_name = "FUNCTION|FILE")]
    within: Vec<String>,
    /// List all cheapest sets
    #[arg(long)]
    all: bool,
    /// Find out which of the program's own fences are needed, instead of adding fences
    #[arg(long)]
    minimise: bool,
    /// First bound on reordered statement pairs, for `robmc` and `robmc-et` (default: 5)
    #[arg(long, value_name = "N")]
    k1: Option<usize>,
    /// Last bound on reordered statement pairs (default: unbounded)
    #[arg(long, value_name = "N")]
    k2: Option<usize>,
    /// Write the repaired program to this file, with its formatting and comments unchanged; `-` for
    /// standard output, with the report on standard error. Fences in several files require the name of
    /// the first file, or of its folder: then all of them change, or none
    #[arg(long, value_name = "OUT")]
    write: Option<PathBuf>,
    /// Show the change as a unified diff, of each file that changes
    #[arg(long)]
    diff: bool,
    /// Write a page with the change, and with what each fence prevents, to this file (`.html`)
    #[arg(long, value_name = "OUT", value_parser = drawing)]
    draw: Option<DrawTo>,
    /// Insert fences into the files that the program includes, too (C)
    #[arg(long)]
    edit_headers: bool,
    /// Loop bound where no complete engine has an answer
    #[arg(long, value_name = "N")]
    unroll: Option<u32>,
    /// Exit with 0 if the fences suffice within bounds
    #[arg(long)]
    accept_bounded: bool,
    /// Write evidence that others can check with `fencepost-verify` to this file, if the answer is positive
    /// and not too large for that
    #[arg(long, value_name = "OUT")]
    certificate: Option<PathBuf>,
    /// Whether the repaired programs replace the programs themselves.
    #[arg(skip)]
    in_place: bool,
}

/// The result for one model.
pub(super) struct Answer {
    report: FenceReport,
    /// The report for the other aim, if it adds information.
    other: Option<FenceReport>,
    /// The text with the first set found inserted, if one was found and the text was requested; or why
    /// the text cannot be changed that way.
    repaired: Result<Option<Rewritten>, String>,
    /// The change as a unified diff, if requested.
    diff: Option<String>,
    /// The files that were written; or why none was.
    written: Result<Vec<String>, String>,
    /// The change for each fence alone, if the output has them.
    fixes: Vec<Option<Fix>>,
    certificate: Option<Requested>,
}

impl Fence {
    pub(super) fn program_mut(&mut self) -> &mut ProgramArgs {
        &mut self.program
    }

    /// Writes the fences into the files of each program.
    pub(super) fn fix(&mut self) {
        self.in_place = true;
    }
}

impl Verification for Fence {
    const NAME: &'static str = "fence";

    type Setting = Costs;
    type Answer = Answer;

    fn writes(&self) -> Option<&'static str> {
        let files = [
            (self.draw.is_some(), "--draw"),
            (self.write.is_some(), "--write"),
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

    fn contradiction(&self, models: &[Model], global: &Global) -> Option<String> {
        let is_page = |to: &DrawTo| to.format == Drawing::Html;
        if self.draw.as_ref().is_some_and(|to| !is_page(to)) {
            return Some(PAGES_ONLY.to_owned());
        }
        output::draws_one(self.draw.as_ref(), models)
            .or_else(|| certificate::is_for_one(self.certificate.as_deref(), models))
            .or_else(|| conflicts::of_algorithm(self))
            .or_else(|| conflicts::of_options(self, models, global))
    }

    fn prepare(&self, input: Arc<Input>, session: &Session) -> Result<(Arc<Input>, Costs), Exit> {
        if self.minimise && input.format.is_portable() {
            streams::print_message(&format!(
                "`--minimise` does not support {}: its fences may be needed on other machines, and order \
                 what compilers do",
                input.file
            ));
            return Err(Exit::Usage);
        }
        let input = Arc::new(input.with_positions_apart());
        if let Some(message) = within::contradiction(&input, &self.within) {
            streams::print_message(&message);
            return Err(Exit::Usage);
        }
        let (word, program, idiom) = (self.cost.clone(), Arc::clone(&input), self.idiom);
        let read = session.limits.work(move || costs(&word, &program, idiom));
        match read.complete("reading the costs")? {
            Ok(costs) => Ok((input, costs)),
            Err(message) => {
                streams::print_message(&message);
                Err(Exit::Usage)
            }
        }
    }

    fn verify(&self, request: &Request<'_, Costs>, model: Model) -> Result<Answer, Exit> {
        let usual = FenceOptions::new(model, self.aim);
        let k1 = self.k1.unwrap_or(usual.k1);
        let mut options = usual
            .algorithm(self.algorithm)
            .costs(request.setting.clone())
            .k1(k1)
            .k2(self.k2)
            .unroll(self.unroll)
            .solver(request.session.global.solver)
            .techniques(request.session.global.techniques());
        options.kinds = self.kinds.clone();
        (options.all, options.minimise) = (self.all, self.minimise);
        if !self.within.is_empty() {
            options.within = Some(within::locations(&request.input, &self.within));
        }
        let report = cheapest(request, &options, cheapest_fences)?;
        let (from, of, with) = (Arc::clone(&request.input), report.clone(), options.clone());
        let limits = request.session.limits;
        let certificate =
            certificate::requested(self.certificate.as_deref(), limits, move |budget| {
                of_fences(&from.program, &of, &with, budget)
            })?;
        let other = if request.session.global.quiet || !has_goals(&request.input.program) {
            None
        } else {
            Some(cheapest(request, &options, for_other_aim)?)
        };
        let other = other.filter(|other| other.adds_to(&report));
        let repaired = self.repaired(&request.input, &report);
        let found = repaired.as_ref().ok().and_then(Option::as_ref);
        let diff = found
            .filter(|_| self.diff)
            .map(|new| self.diff(&request.input, new));
        let written = match &repaired {
            Ok(found) => self.write(&request.input, found.as_ref()),
            Err(why) => Err(why.clone()),
        };
        let format = request.session.format();
        let shows_text = format.is_for_people() && !request.session.global.quiet;
        let fixes = if format.has_fixes() || shows_text && has_place_inside(&request.input, &report)
        {
            self.fixes(&request.input, &report)
        } else {
            Vec::new()
        };
        Ok(Answer {
            report,
            other,
            repaired,
            diff,
            written,
            fixes,
            certificate,
        })
    }

    fn report<'a>(
        &'a self,
        request: &'a Request<'_, Costs>,
        answer: &'a Answer,
        measured: Measured,
    ) -> Report<'a> {
        let repair = Repair {
            diff: answer.diff.as_deref(),
            written: answer.written.as_deref().unwrap_or_default(),
            in_place: self.is_in_place(&request.input),
            fixes: &answer.fixes,
        };
        let (source, other) = (request.input.source(), answer.other.as_ref());
        let view = FencesView::new(source, &answer.report, other, repair, measured);
        let certified = answer.certificate.as_ref().map(Requested::shown);
        Report::Fences(Box::new(view.idiom(self.idiom).certified(certified)))
    }

    fn stream(&self) -> Stream {
        if self.write.as_deref().is_some_and(is_stdout) {
            Stream::Error
        } else {
            Stream::Output
        }
    }

    fn exit(&self, answer: &Answer) -> Exit {
        let exit = Exit::of(&answer.report.verdict(), Bounded::new(self.accept_bounded));
        if answer.report.may_be_cheaper() {
            exit.worst(Exit::Undecided)
        } else {
            exit
        }
    }

    fn afterwards(&self, request: &Request<'_, Costs>, answer: &Answer) -> Exit {
        self.draw(request, answer)
            .worst(certificate::write(answer.certificate.as_ref()))
            .worst(self.finish(request, answer))
    }
}

impl Fence {
    /// Writes the page, if the user requested it.
    fn draw(&self, request: &Request<'_, Costs>, answer: &Answer) -> Exit {
        let Some(DrawTo { path, .. }) = &self.draw else {
            return Exit::Holds;
        };
        let (input, report) = (&request.input, &answer.report);
        let changed = report.changes(&input.program);
        let changed = changed.and_then(|changes| self.changed(input, &changes).ok());
        let diff = changed.map(|new| self.diff(input, &new));
        let repair = Repair {
            diff: diff.as_deref(),
            ..Repair::default()
        };
        let other = answer.other.as_ref();
        let view = FencesView::new(input.source(), report, other, repair, Measured::default());
        output::write(path, &page::report(&Report::Fences(Box::new(view))))
    }

    /// Prints the repaired program if it goes to standard output, or why there is none.
    fn finish(&self, request: &Request<'_, Costs>, answer: &Answer) -> Exit {
        let found = answer.repaired.as_ref().ok().and_then(Option::as_ref);
        let printed = match (self.stream(), found) {
            (Stream::Error, Some(found)) if found.others.is_empty() => {
                streams::print(&format!("{}{}", request.input.mark, found.text))
            }
            (Stream::Error, Some(_) | None) | (Stream::Output, _) => Exit::Holds,
        };
        let message = match &answer.written {
            Ok(files) if self.in_place && !files.is_empty() => {
                let message = format!("fences were written into {}", files.join(", "));
                streams::print_message(&message);
                return printed;
            }
            Ok(_) => return printed,
            Err(message) => message,
        };
        streams::print_message(message);
        // The result itself already reports that there is nothing to write.
        if found.is_none() && answer.repaired.is_ok() {
            printed
        } else {
            printed.worst(Exit::Usage)
        }
    }
}

fn cheapest(
    request: &Request<'_, Costs>,
    options: &FenceOptions,
    search: fn(&Program, &FenceOptions, &Budget) -> Result<FenceReport, Defect>,
) -> Result<FenceReport, Exit> {
    let (input, with) = (Arc::clone(&request.input), options.clone());
    let limits = request.session.limits;
    let ended = limits.run(move |budget| search(&input.program, &with, budget));
    ended.answered(|reason| FenceReport::undecided(options, reason.clone()))
}
