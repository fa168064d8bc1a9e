//! The driver of all commands: reads the input within the limits, runs the command for each model,
//! prints the report and chooses the exit code.
//!
//! ```text
//! Verification   a program ──for each model──▶ a result ──▶ a report in any format, exit code
//! Product        a program ──▶ a text in any format, on standard output or in a file
//! ```
//!
//! Both go through the programs in the same loop, [`each()`]: it prints titles and totals, stops when the time is
//! over, and confines a defect to its program.
//!
//! A new command is a module whose arguments implement one of these two traits, and a row in the table
//! of commands. Only `corpus`, which checks many programs, does not use this driver.

mod each;

pub(super) use self::each::Together;

use self::each::{Call, Job, Prints, each};
use super::exit::Exit;
use super::guard::guarded_result;
use super::input::Input;
use super::limits::Limits;
use super::memory::peak_rss_kib;
use super::program::ProgramArgs;
use super::values::distinct;
use super::{Global, output, progress, streams};
use crate::model::Model;
use crate::report::{Measured, MessageFormat, Problem, Report, ReportWriter, Style};
use crate::visible::visible;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The global flags and the limits of a command. The timeout starts with the session.
pub(super) struct Session {
    pub(super) global: Global,
    pub(super) limits: Limits,
    /// What earlier commands of the same call left.
    together: Mutex<Together>,
    /// Whether more commands of the same call follow.
    has_more: bool,
}

impl Session {
    /// A session that starts now.
    pub(super) fn new(global: &Global) -> Self {
        Self {
            global: global.clone(),
            limits: Limits::new(global),
            together: Mutex::default(),
            has_more: false,
        }
    }

    /// The same for one of several commands whose results are those of one call, within these limits.
    pub(super) fn of_several(
        global: &Global,
        limits: Limits,
        together: Together,
        has_more: bool,
    ) -> Self {
        Self {
            global: global.clone(),
            limits,
            together: Mutex::new(together),
            has_more,
        }
    }

    /// What commands of the same call left so far.
    pub(super) fn take_together(&self) -> Together {
        let mut together = self.together.lock();
        together
            .as_deref_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    fn leave_together(&self, left: Together) {
        if let Ok(mut together) = self.together.lock() {
            *together = left;
        }
    }

    pub(super) fn format(&self) -> MessageFormat {
        self.global.message_format()
    }

    pub(super) fn style(&self) -> Style {
        streams::style(&self.global)
    }

    /// Reports in the requested format, on this stream.
    pub(super) fn reports(&self, to: Stream) -> Reports {
        Reports {
            writer: ReportWriter::new(self.format(), self.style()),
            to,
        }
    }
}

/// The reports of a command, printed as they are made.
pub(super) struct Reports {
    writer: ReportWriter,
    to: Stream,
}

impl Reports {
    /// Prints a report, or keeps it until the last one if the format requires that.
    pub(super) fn print(&mut self, report: &Report<'_>) -> Exit {
        self.print_after(None, report)
    }

    /// The same with this before each line.
    fn print_after(&mut self, prefix: Option<&str>, report: &Report<'_>) -> Exit {
        let prefixed = |text: String| match prefix {
            Some(prefix) => text.lines().flat_map(|line| [prefix, line, "\n"]).collect(),
            None => text,
        };
        print(self.writer.add(report).map(prefixed), self.to)
    }

    /// Prints what the format requires after the last report. The exit code is the worst so far.
    pub(super) fn finish(self, worst: Exit) -> Exit {
        let completed = match worst {
            Exit::Holds | Exit::Violated | Exit::Undecided => true,
            Exit::Usage | Exit::Internal => false,
        };
        worst.worst(print(self.writer.finish(completed), self.to))
    }

    /// The same if there are no reports because the input could not be read.
    fn abandon(self, exit: Exit) -> Exit {
        exit.worst(print(self.writer.finish(false), self.to))
    }
}

/// Prints this text, or that it could not be made.
pub(super) fn print(text: Result<String, serde_json::Error>, to: Stream) -> Exit {
    match (text, to) {
        (Ok(text), _) if text.is_empty() => Exit::Holds,
        (Ok(text), Stream::Output) => streams::print(&text),
        (Ok(text), Stream::Error) => {
            streams::diagnose(&text);
            Exit::Holds
        }
        (Err(error), _) => {
            streams::print_message(&format!("internal error: {error}"));
            Exit::Internal
        }
    }
}

/// The stream that a report is printed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stream {
    /// Standard output.
    Output,
    /// Standard error, where something else is printed on standard output.
    Error,
}

/// The input of a verification: the program, the models, and whatever else was read.
pub(super) struct Request<'s, T> {
    pub(super) session: &'s Session,
    pub(super) input: Arc<Input>,
    pub(super) setting: T,
    /// The models without duplicates, in the order of their first mention.
    pub(super) models: Vec<Model>,
}

impl<T> Request<'_, T> {
    /// Whether more than the verdict is shown, which is worth some work.
    pub(super) fn is_shown(&self) -> bool {
        !self.session.global.quiet || !self.session.format().is_for_people()
    }
}

/// A command that computes a verdict about a program, for each of several models.
pub(super) trait Verification {
    /// The name of the command.
    const NAME: &'static str;
    /// What is read in addition to the program.
    type Setting: Default;
    /// The result for one model.
    type Answer;

    /// The program to read.
    fn program(&self) -> &ProgramArgs;

    /// The requested models.
    fn models(&self) -> &[Model];

    /// An error message, if these arguments contradict each other.
    fn contradiction(&self, _models: &[Model], _global: &Global) -> Option<String> {
        None
    }

    /// The option that writes a file, if there is one. Then there must be one program only.
    fn writes(&self) -> Option<&'static str>;

    /// Transforms the program as needed, and reads additional input.
    ///
    /// # Errors
    ///
    /// The exit code, if something cannot be read; the error has been printed.
    fn prepare(
        &self,
        input: Arc<Input>,
        _session: &Session,
    ) -> Result<(Arc<Input>, Self::Setting), Exit> {
        Ok((input, Self::Setting::default()))
    }

    /// Computes the result for one model.
    ///
    /// # Errors
    ///
    /// The exit code, if there is no result to show; the error has been printed.
    fn verify(
        &self,
        request: &Request<'_, Self::Setting>,
        model: Model,
    ) -> Result<Self::Answer, Exit>;

    /// The result, prepared for output.
    fn report<'a>(
        &'a self,
        request: &'a Request<'_, Self::Setting>,
        answer: &'a Self::Answer,
        measured: Measured,
    ) -> Report<'a>;

    /// The stream that the report is printed on.
    fn stream(&self) -> Stream {
        Stream::Output
    }

    /// The exit code of the result.
    fn exit(&self, answer: &Self::Answer) -> Exit;

    /// Does the work that follows the report: remarks, drawings, files.
    fn afterwards(&self, request: &Request<'_, Self::Setting>, answer: &Self::Answer) -> Exit;
}

/// Runs a verification of each program, for each model.
pub(super) fn answer<Q: Verification>(task: &Q, session: &Session) -> Exit {
    let call = Call {
        command: Q::NAME,
        session,
        to: task.stream(),
        prints: Prints::Results,
    };
    let models = distinct(task.models());
    let contradiction = |count: usize| {
        let own = task.contradiction(&models, &session.global);
        own.or_else(|| {
            let option = task.writes().filter(|_| count > 1)?;
            Some(format!(
                "{option} is for one program, and there are {count}"
            ))
        })
    };
    each(&call, task.program(), contradiction, |job| {
        answer_one(task, &models, job)
    })
}

/// Runs a verification of one program, for each of these models.
fn answer_one<Q: Verification>(task: &Q, models: &[Model], job: &mut Job<'_>) -> Exit {
    let session = job.call.session;
    let input = match job.read() {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let (input, setting) = match guarded_result(|| task.prepare(input, session)) {
        Ok(prepared) => prepared,
        Err(exit) => return job.ended(Err(exit)),
    };
    let request = Request {
        session,
        input,
        setting,
        models: models.to_vec(),
    };
    let mut worst = Exit::Holds;
    for (number, &model) in models.iter().enumerate() {
        if number > 0 && session.format().is_for_people() && !session.global.quiet {
            worst = worst.worst(streams::print("\n"));
        }
        let done = guarded_result(|| one(task, &request, model, job));
        worst = worst.worst(job.ended(done));
    }
    worst
}

fn one<Q: Verification>(
    task: &Q,
    request: &Request<'_, Q::Setting>,
    model: Model,
    job: &mut Job<'_>,
) -> Result<Exit, Exit> {
    let started = Instant::now();
    progress::counters().restart();
    let answer = task.verify(request, model)?;
    let measured = Measured {
        reached: Some(progress::counters().reached()),
        seconds: Some(started.elapsed().as_secs_f64()),
        peak_rss_kib: peak_rss_kib(),
    };
    let printed = job.print(&task.report(request, &answer, measured));
    let done = task.afterwards(request, &answer);
    Ok(printed.worst(done).worst(task.exit(&answer)))
}

/// A command that produces a text from a program.
pub(super) trait Product: Clone + Send + 'static {
    /// The name of the command.
    const NAME: &'static str;
    /// A description of the work, for the message `stopped while …`.
    const DOING: &'static str;

    /// The program to read.
    fn program(&self) -> &ProgramArgs;

    /// An error message, if the command has no output in this form, which is for programs.
    fn contradiction(&self) -> Option<&'static str> {
        None
    }

    /// The option that has one result only, and why. With it there must be one program.
    fn is_for_one(&self) -> Option<OnlyOne>;

    /// Produces the text.
    ///
    /// # Errors
    ///
    /// The messages to print, if the text cannot be produced.
    fn make(&self, input: &Input, format: MessageFormat) -> Result<String, Vec<String>>;

    /// A second file, made from the text, with its contents.
    ///
    /// # Errors
    ///
    /// The messages to print, if it cannot be made.
    fn beside(&self, _text: &str) -> Result<Option<(PathBuf, String)>, Vec<String>> {
        Ok(None)
    }

    /// Warnings about what the text omits, one per line.
    fn remarks(&self, _input: &Input) -> Vec<String> {
        Vec::new()
    }

    /// The output file; `-` for standard output.
    fn out(&self) -> &Path {
        Path::new("-")
    }
}

/// Why there must be one program.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnlyOne {
    /// The option, as one would type it.
    pub(super) option: &'static str,
    /// What it does, after `it`: `writes one file`.
    pub(super) because: &'static str,
}

/// The messages to print if serialization fails, which no value is expected to cause.
pub(super) fn unwritten(error: &serde_json::Error) -> Vec<String> {
    vec![format!("internal error: {error}")]
}

/// Produces the text of each program and writes it to its output.
pub(super) fn make<P: Product>(product: &P, session: &Session) -> Exit {
    let format = session.format();
    let contradiction = match format {
        MessageFormat::Text => None,
        MessageFormat::Json => product.contradiction().map(str::to_owned),
        MessageFormat::Sarif | MessageFormat::Github => Some(format!(
            "`--message-format {}` is for results: this command has none",
            format.name()
        )),
    };
    if let Some(message) = contradiction {
        streams::print_message(&message);
        return Exit::Usage;
    }
    let call = Call {
        command: P::NAME,
        session,
        to: Stream::Output,
        prints: Prints::Text,
    };
    let several = |count: usize| {
        let OnlyOne { option, because } = product.is_for_one().filter(|_| count > 1)?;
        Some(format!(
            "{option} is for one program, and there are {count}: it {because}"
        ))
    };
    each(&call, product.program(), several, |job| {
        make_one(product, job)
    })
}

/// Produces the text of one program and writes it to its output.
fn make_one<P: Product>(product: &P, job: &mut Job<'_>) -> Exit {
    let session = job.call.session;
    let format = session.format();
    let input = match job.read() {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let (maker, from) = (product.clone(), Arc::clone(&input));
    let made = session.limits.work(move || {
        let text = maker.make(&from, format)?;
        let beside = maker.beside(&text)?;
        Ok::<_, Vec<String>>((text, beside))
    });
    match made.complete(P::DOING) {
        Ok(Ok((text, beside))) => {
            let text = if format.is_for_people() {
                for remark in product.remarks(&input) {
                    streams::print_message(&remark);
                }
                visible(&text)
            } else {
                text.into()
            };
            let written = output::write(product.out(), &text);
            let beside = beside.map_or(Exit::Holds, |(path, text)| output::write(&path, &text));
            written.worst(beside)
        }
        Ok(Err(messages)) => {
            for message in &messages {
                streams::print_message(message);
            }
            let problems = messages.iter();
            let problems = problems.map(|message| Problem::whole(&job.file, message));
            job.unread(Exit::Usage, &problems.collect::<Vec<_>>())
        }
        Err(exit) => job.ended(Err(exit)),
    }
}
