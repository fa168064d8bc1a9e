//! The driver of all commands: reads the input within the limits, runs the command for each model,
//! prints the report and chooses the exit code.
//!
//! ```text
//! Verification   a program ──for each model──▶ a result ──▶ a report in any format, exit code
//! Product        a program ──▶ a text in any format, on standard output or in a file
//! ```
//!
//! A new command is a module whose arguments implement one of these two traits, and a row in the table
//! of commands. Only `corpus`, which checks many programs, does not use this driver.

use super::exit::Exit;
use super::guard::{guarded, guarded_result};
use super::input::{self, Input};
use super::limits::Limits;
use super::memory::peak_rss_kib;
use super::program::ProgramArgs;
use super::tally::Tally;
use super::values::distinct;
use super::{Global, output, progress, streams};
use crate::model::Model;
use crate::report::{
    Failed, Measured, MessageFormat, Problem, Report, ReportWriter, Style, Unread,
};
use crate::visible::visible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The global flags and the limits of a command. The timeout starts with the session.
pub(super) struct Session {
    pub(super) global: Global,
    pub(super) limits: Limits,
}

impl Session {
    /// A session that starts now.
    pub(super) fn new(global: &Global) -> Self {
        Self {
            global: global.clone(),
            limits: Limits::new(global),
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

/// Runs a verification of each program, for each model. The worst result determines the exit code. A panic
/// is an internal error of its program alone.
pub(super) fn answer<Q: Verification>(task: &Q, session: &Session) -> Exit {
    let models = distinct(task.models());
    let programs = match task.program().programs(session.global.input_format()) {
        Ok(programs) => programs,
        Err(message) => {
            streams::print_message(&message);
            return session.reports(task.stream()).abandon(Exit::Usage);
        }
    };
    let several = (programs.len() > 1).then(|| task.writes()).flatten();
    let several = several.map(|option| {
        format!(
            "{option} is for one program, and there are {}",
            programs.len()
        )
    });
    if let Some(message) = task.contradiction(&models, &session.global).or(several) {
        streams::print_message(&message);
        return Exit::Usage;
    }
    let mut reports = session.reports(task.stream());
    let mut tally = Tally::default();
    for (number, program) in programs.iter().enumerate() {
        let several = programs.len() > 1 && session.format().is_for_people();
        let quiet = session.global.quiet;
        if several && !quiet {
            tally.print(streams::print(&title(number, program)));
        }
        let prefix = (several && quiet).then(|| format!("{}: ", visible(&program.title())));
        let wanted = (&models[..], prefix.as_deref());
        let exit = guarded(|| answer_one(task, session, program, wanted, &mut reports));
        tally.add(exit.unwrap_or_else(|exit| exit));
        // No time is left for the others, and no one waits for them after an interrupt.
        if session.limits.is_over() {
            let left = programs.len() - number - 1;
            if left > 0 {
                let noun = if left == 1 { "program" } else { "programs" };
                streams::print_message(&format!("stopped with {left} {noun} left"));
                tally.leave(left);
            }
            break;
        }
    }
    if programs.len() > 1 && session.format().is_for_people() {
        tally.print(streams::print(&tally.sentence(programs.len())));
    }
    reports.finish(tally.worst)
}

/// A line with the name of a program, after a blank line if it is not the first.
fn title(number: usize, program: &ProgramArgs) -> String {
    let blank = if number > 0 { "\n" } else { "" };
    format!("{blank}== {} ==\n", visible(&program.title()))
}

/// Runs a verification of one program, for each of these models. The prefix precedes each result.
fn answer_one<Q: Verification>(
    task: &Q,
    session: &Session,
    program: &ProgramArgs,
    (models, prefix): (&[Model], Option<&str>),
    reports: &mut Reports,
) -> Exit {
    let file = program.file();
    let failed = |exit: Exit, reports: &mut Reports| {
        let line = prefix.map(|prefix| format!("{prefix}Internal error: see the messages.\n"));
        let printed = line.map_or(Exit::Holds, |line| print(Ok(line), task.stream()));
        let report = Report::Failed(Failed {
            command: Q::NAME,
            file: &file,
        });
        exit.worst(printed).worst(reports.print(&report))
    };
    let input = match input::read(program, &session.global, session.limits) {
        Ok(input) => input,
        Err(failure) if failure.exit == Exit::Internal => return failed(failure.exit, reports),
        Err(failure) => {
            let unread = Report::Unread(Unread {
                command: Q::NAME,
                file: &file,
                problems: &failure.problems,
            });
            let line = prefix.map(|prefix| format!("{prefix}Not read: see the messages.\n"));
            let printed = line.map_or(Exit::Holds, |line| print(Ok(line), task.stream()));
            return failure.exit.worst(printed).worst(reports.print(&unread));
        }
    };
    let (input, setting) = match guarded_result(|| task.prepare(input, session)) {
        Ok(prepared) => prepared,
        Err(exit @ Exit::Internal) => return failed(exit, reports),
        Err(exit) => return exit,
    };
    let request = Request {
        session,
        input,
        setting,
        models: models.to_vec(),
    };
    let mut worst = Exit::Holds;
    for (number, &model) in request.models.iter().enumerate() {
        if number > 0 && session.format().is_for_people() && !session.global.quiet {
            worst = worst.worst(streams::print("\n"));
        }
        let done = guarded_result(|| one(task, &request, (model, prefix), reports));
        worst = worst.worst(match done {
            Err(exit @ Exit::Internal) => failed(exit, reports),
            Ok(exit) | Err(exit) => exit,
        });
    }
    worst
}

fn one<Q: Verification>(
    task: &Q,
    request: &Request<'_, Q::Setting>,
    (model, prefix): (Model, Option<&str>),
    reports: &mut Reports,
) -> Result<Exit, Exit> {
    let started = Instant::now();
    progress::counters().restart();
    let answer = task.verify(request, model)?;
    let measured = Measured {
        reached: Some(progress::counters().reached()),
        seconds: Some(started.elapsed().as_secs_f64()),
        peak_rss_kib: peak_rss_kib(),
    };
    let report = task.report(request, &answer, measured);
    let printed = reports.print_after(prefix, &report);
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

/// Produces the text of each program and writes it to its output. The worst exit code is that of the call.
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
    let mut reports = session.reports(Stream::Output);
    let programs = match product.program().programs(session.global.input_format()) {
        Ok(programs) => programs,
        Err(message) => {
            streams::print_message(&message);
            return reports.abandon(Exit::Usage);
        }
    };
    let count = programs.len();
    if let Some(OnlyOne { option, because }) = product.is_for_one().filter(|_| count > 1) {
        let message = format!("{option} is for one program, and there are {count}: it {because}");
        streams::print_message(&message);
        return Exit::Usage;
    }
    let mut worst = Exit::Holds;
    for (number, program) in programs.iter().enumerate() {
        if count > 1 && format.is_for_people() {
            worst = worst.worst(streams::print(&title(number, program)));
        }
        let made = guarded(|| make_one(product, session, program, &mut reports));
        worst = worst.worst(made.unwrap_or_else(|exit| exit));
        let left = count - number - 1;
        if session.limits.is_over() && left > 0 {
            streams::print_message(&format!("stopped with {left} programs left"));
            worst = worst.worst(Exit::Undecided);
            break;
        }
    }
    reports.finish(worst)
}

/// Produces the text of one program and writes it to its output.
fn make_one<P: Product>(
    product: &P,
    session: &Session,
    program: &ProgramArgs,
    reports: &mut Reports,
) -> Exit {
    let format = session.format();
    let mut failed = |exit: Exit, problems: &[Problem]| {
        let file = program.file();
        let unread = Report::Unread(Unread {
            command: P::NAME,
            file: &file,
            problems,
        });
        exit.worst(reports.print(&unread))
    };
    let input = match input::read(program, &session.global, session.limits) {
        Ok(input) => input,
        Err(failure) => return failed(failure.exit, &failure.problems),
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
            let problem = |message: &String| Problem::whole(&program.file(), message);
            failed(
                Exit::Usage,
                &messages.iter().map(problem).collect::<Vec<_>>(),
            )
        }
        Err(exit) => exit,
    }
}
