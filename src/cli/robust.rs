//! `fencepost robust`: does store buffering add any behaviour?

use super::certificate::{self, Requested};
use super::driver::{self, Request, Session, Verification};
use super::exit::{Bounded, Exit};
use super::input::Input;
use super::program::ProgramArgs;
use super::values::{DrawTo, drawing, named, shard, weak_model};
use super::{Global, merge, output};
use crate::certificate::of_robust;
use crate::check::{CheckOptions, Engine, Until, hold_all_the_same};
use crate::model::Model;
use crate::program::Overlap;
use crate::report::{Measured, RacesView, Report, RobustView, Shard, ShownRun, dot, draw, page};
use crate::robustness::{
    Method, RaceReport, RobustOptions, RobustReport, load_bearing, robust, triangular,
};
use crate::search::Reduction;
use crate::verdict::{Defect, Reason, Verdict};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args, Debug)]
#[command(mut_arg("files", |files| files.required(false).required_unless_present("merge")))]
pub(super) struct Robust {
    #[command(flatten)]
    program: ProgramArgs,
    /// Memory models, as a list or repeated; the worst verdict determines the exit code
    #[arg(long, value_delimiter = ',', default_value = "tso", value_parser = weak_model())]
    model: Vec<Model>,
    /// How to search for attacks
    #[arg(long, default_value = "auto", value_parser = named(Method::ALL.iter().copied(), Method::name))]
    method: Method,
    /// Engine to use
    #[arg(long, default_value = "auto", value_parser = named(Engine::ALL.iter().copied(), Engine::name))]
    engine: Engine,
    /// Notion of robustness
    #[arg(long, value_enum, default_value_t)]
    notion: Notion,
    /// Loop bound of the bounded engine
    #[arg(long, value_name = "N")]
    unroll: Option<u32>,
    /// What a load of several cells does while an own store that is buffered has some of them, and not all: it combines
    /// both (what is weaker), or waits for the store; see `fencepost help words`
    #[arg(long, default_value = "combine", value_parser = named(Overlap::ALL, Overlap::name))]
    overlapping_loads: Overlap,
    /// Reductions of the explicit engine: all, none, or a list of liveness, local, retire, advance,
    /// chains, persistent, lookahead, directed, symmetry, hopeless
    #[arg(long, value_name = "LIST", default_value = "all")]
    reduction: Reduction,
    /// Search for every N-th attack only, starting with the I-th (from 1)
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,
    /// Print the results of all shards as one: files with what each shard printed with `--json`
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["files", "shard"])]
    merge: Vec<PathBuf>,
    /// Stop at the first feasible attack
    #[arg(long)]
    first: bool,
    /// Decide every attack. Otherwise, if one is feasible, those that take longer than a few seconds may
    /// be left undecided
    #[arg(long, conflicts_with = "first")]
    every: bool,
    /// Exit with 0 if no violation was found within bounds
    #[arg(long)]
    accept_bounded: bool,
    /// Draw the computation of the first attack into this file: a picture (`.svg`), its happens-before
    /// cycle for Graphviz (`.dot`), or a page on which those of all attacks can be followed (`.html`)
    #[arg(long, value_name = "OUT", value_parser = drawing)]
    draw: Option<DrawTo>,
    /// Write the happens-before cycle of the first attack to this file, in DOT
    #[arg(long, value_name = "OUT", conflicts_with = "svg")]
    dot: Option<PathBuf>,
    /// Write the happens-before cycle of the first attack to this file, as SVG
    #[arg(long, value_name = "OUT")]
    svg: Option<PathBuf>,
    /// Write the racing core of the first attack to this file, as an x86 litmus test; `-` for
    /// standard output
    #[arg(long, value_name = "OUT")]
    litmus: Option<PathBuf>,
    /// Write evidence that others can check with `fencepost-verify` to this file, if the answer is positive
    /// and not too large for that
    #[arg(long, value_name = "OUT")]
    certificate: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Notion {
    /// Trace-robustness: every computation has an acyclic happens-before relation
    #[default]
    Trace,
    /// Triangular-race freedom: stronger, so it implies `trace`
    Trf,
}

/// The result for one model.
pub(super) enum Answer {
    Robust(Box<RobustReport>, Option<Requested>),
    Races(RaceReport),
}

/// Runs the command.
pub(super) fn run(arguments: &Robust, session: &Session) -> Exit {
    if arguments.merge.is_empty() {
        driver::answer(arguments, session)
    } else {
        merge::of_robust(&arguments.merge, arguments.accept_bounded, session)
    }
}

impl Robust {
    pub(super) fn program_mut(&mut self) -> &mut ProgramArgs {
        &mut self.program
    }
}

impl Verification for Robust {
    const NAME: &'static str = "robust";

    type Setting = ();
    type Answer = Answer;

    fn writes(&self) -> Option<&'static str> {
        let files = [
            (self.draw.is_some(), "--draw"),
            (self.dot.is_some(), "--dot"),
            (self.svg.is_some(), "--svg"),
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

    fn prepare(&self, input: Arc<Input>, _: &Session) -> Result<(Arc<Input>, ()), Exit> {
        Ok((input.with_overlap(self.overlapping_loads), ()))
    }

    fn contradiction(&self, models: &[Model], _: &Global) -> Option<String> {
        let several = output::draws_one(self.draw.as_ref(), models)
            .or_else(|| certificate::is_for_one(self.certificate.as_deref(), models));
        if several.is_some() {
            return several;
        }
        if self.certificate.is_some() && (self.notion == Notion::Trf || self.shard.is_some()) {
            let message = "`--certificate` is about trace-robustness of the whole program";
            return Some(message.to_owned());
        }
        if self.notion == Notion::Trf {
            let message = "`--shard` divides attacks, and `--notion trf` has none";
            return self.shard.map(|_| message.to_owned());
        }
        let message = match self.method {
            Method::Direct if self.engine == Engine::Explicit => {
                "`--method direct` does not support `--engine explicit`; `--method locality` does"
            }
            Method::Singularity if models.contains(&Model::Tso) => {
                "`--method singularity` does not support `--model tso`, where one delayed store is not \
                 enough; `--method locality` supports all models"
            }
            Method::Auto | Method::Locality | Method::Singularity | Method::Direct => return None,
        };
        Some(message.to_owned())
    }

    fn verify(&self, request: &Request<'_, ()>, model: Model) -> Result<Answer, Exit> {
        let (input, limits) = (Arc::clone(&request.input), request.session.limits);
        let Global { solver, quiet, .. } = request.session.global;
        let until = if self.first {
            Until::Violated
        } else {
            Until::AllAnswered
        };
        let mut techniques = request.session.global.techniques();
        if self.reduction != Reduction::ALL {
            techniques.reduction = self.reduction;
        }
        let options = RobustOptions::new(model)
            .method(self.method)
            .engine(self.engine)
            .unroll(self.unroll)
            .solver(solver)
            .techniques(techniques)
            .until(until)
            .every(self.every)
            .shard(self.shard.map(|shard| (shard.index - 1, shard.of)));
        let with = options.clone();
        if self.notion == Notion::Trf {
            let ended = limits.run(move |budget| triangular(&input.program, &with, budget));
            let undecided = |reason: &Reason| RaceReport::undecided(model, reason.clone());
            return Ok(Answer::Races(ended.answered(undecided)?));
        }
        // A single shard does not decide robustness, so there is nothing to explain.
        let explains = !quiet && options.shard.is_none();
        let ended = limits.run(move |budget| {
            let report = robust(&input.program, &with, budget)?;
            let mut report = report.minimised(&input.program, budget);
            if explains && report.verdict() == Verdict::Holds && report.by_definition().is_none() {
                report.load_bearing = load_bearing(&input.program, &with, budget)?;
            }
            if explains && matches!(report.verdict(), Verdict::Violated(_)) {
                let checked = CheckOptions::new(model)
                    .solver(solver)
                    .techniques(with.techniques);
                report.harmless = hold_all_the_same(&input.program, &checked, budget)?;
            }
            Ok::<_, Defect>(report)
        });
        let program = &request.input.program;
        let undecided = |reason: &Reason| RobustReport::undecided(program, &options, reason);
        let report = ended.answered(undecided)?;
        let (from, of) = (Arc::clone(&request.input), report.clone());
        let certificate =
            certificate::requested(self.certificate.as_deref(), limits, move |budget| {
                of_robust(&from.program, &of, budget)
            })?;
        Ok(Answer::Robust(Box::new(report), certificate))
    }

    fn report<'a>(
        &'a self,
        request: &'a Request<'_, ()>,
        answer: &'a Answer,
        measured: Measured,
    ) -> Report<'a> {
        let source = request.input.source();
        match answer {
            Answer::Robust(report, certificate) => {
                let view = RobustView::new(source, report, measured);
                let certified = certificate.as_ref().map(Requested::shown);
                Report::Robust(Box::new(view.certified(certified)))
            }
            Answer::Races(report) => {
                Report::Races(Box::new(RacesView::new(source, report, measured)))
            }
        }
    }

    fn exit(&self, answer: &Answer) -> Exit {
        let bounded = Bounded::new(self.accept_bounded);
        match answer {
            Answer::Robust(report, _) => Exit::of(&report.verdict(), bounded),
            Answer::Races(report) => Exit::of(&report.verdict(), bounded),
        }
    }

    fn afterwards(&self, request: &Request<'_, ()>, answer: &Answer) -> Exit {
        let source = request.input.source();
        let page = || page::report(&self.report(request, answer, Measured::default()));
        let Answer::Robust(report, certificate) = answer else {
            return output::draw(self.draw.as_ref(), None, page);
        };
        let run = RobustView::new(source, report, Measured::default()).run();
        let to_file = |path: Option<&Path>, draw: fn(&ShownRun<'_>) -> Option<String>| {
            let Some(path) = path else {
                return Exit::Holds;
            };
            let drawing = run.as_ref().and_then(draw);
            output::write_if_any(path, drawing.ok_or("no cycle was written: none was found"))
        };
        let svg = |run: &ShownRun<'_>| draw::execution(run).map(|image| draw::file(&image));
        output::draw(self.draw.as_ref(), run.as_ref(), page)
            .worst(to_file(self.dot.as_deref(), dot::cycle))
            .worst(to_file(self.svg.as_deref(), svg))
            .worst(certificate::write(certificate.as_ref()))
            .worst(output::write_core(self.litmus.as_deref(), run.as_ref()))
    }
}
