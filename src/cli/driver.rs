//! The one driver of all commands: reads the input within the limits, answers for each model, prints
//! the report and chooses the exit code.
//!
//! ```text
//! Question   a program ──for each model──▶ an answer ──▶ a report in any format, exit code
//! Product    a program ──▶ one text in any format, on standard output or in a file
//! ```
//!
//! A new command is a module whose arguments are one of these two, and a row in the table of commands.
//! Only `corpus`, which answers questions about many programs, runs by itself.

use super::exit::Exit;
use super::input::{self, Input};
use super::limits::Limits;
use super::{Global, output, streams};
use crate::model::Model;
use crate::report::{Measured, MessageFormat, Report, Style};
use crate::visible::visible;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// What every command is given: the flags that all of them take, and the limits. The time begins with
/// the session.
pub(super) struct Session {
    pub(super) global: Global,
    pub(super) limits: Limits,
}

impl Session {
    /// A session that begins now.
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

    /// Prints a report in the format that was asked for.
    pub(super) fn report(&self, report: &Report<'_>, to: Stream) -> Exit {
        match (self.format().write(report, self.style()), to) {
            (Ok(text), Stream::Output) => streams::print(&text),
            (Ok(text), Stream::Error) => {
                streams::diagnose(&text);
                Exit::Holds
            }
            (Err(error), _) => {
                streams::complain(&format!("internal error: {error}"));
                Exit::Internal
            }
        }
    }
}

/// Where a report goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stream {
    /// Standard output.
    Output,
    /// Standard error, where something else is printed on standard output.
    Error,
}

/// What is asked about: a program, and what else was read for the question.
pub(super) struct Asked<'s, T> {
    pub(super) session: &'s Session,
    pub(super) input: Arc<Input>,
    pub(super) setting: T,
    /// The models, each once, in the order of their first mention.
    pub(super) models: Vec<Model>,
}

/// A question about a program under each of several models.
pub(super) trait Question {
    /// What is read besides the program.
    type Setting: Default;
    /// The answer for one model.
    type Answer;

    /// Where the program is; `-` for standard input.
    fn file(&self) -> &Path;

    /// The models that were asked for.
    fn models(&self) -> &[Model];

    /// Why these arguments contradict each other, if they do.
    fn contradiction(&self, _models: &[Model], _global: &Global) -> Option<String> {
        None
    }

    /// The program as the question takes it, and what else is read for it.
    ///
    /// # Errors
    ///
    /// The exit code, if something cannot be read; what that is was said.
    fn prepare(
        &self,
        input: Arc<Input>,
        _session: &Session,
    ) -> Result<(Arc<Input>, Self::Setting), Exit> {
        Ok((input, Self::Setting::default()))
    }

    /// Answers for one model.
    ///
    /// # Errors
    ///
    /// The exit code, if there is no answer to show; why was said.
    fn ask(&self, asked: &Asked<'_, Self::Setting>, model: Model) -> Result<Self::Answer, Exit>;

    /// The answer, ready to be written.
    fn report<'a>(
        &'a self,
        asked: &'a Asked<'_, Self::Setting>,
        answer: &'a Self::Answer,
        measured: Measured,
    ) -> Report<'a>;

    /// Where the report goes.
    fn stream(&self) -> Stream {
        Stream::Output
    }

    /// What the answer means for the exit code.
    fn exit(&self, answer: &Self::Answer) -> Exit;

    /// Does what is to be done after the report: remarks, drawings, files.
    fn afterwards(&self, asked: &Asked<'_, Self::Setting>, answer: &Self::Answer) -> Exit;
}

/// Answers a question for each model. The worst answer decides the exit code.
pub(super) fn answer<Q: Question>(question: &Q, session: &Session) -> Exit {
    let models = distinct(question.models());
    if let Some(message) = question.contradiction(&models, &session.global) {
        streams::complain(&message);
        return Exit::Usage;
    }
    let read = input::read(question.file(), &session.global, session.limits);
    let (input, setting) = match read.and_then(|input| question.prepare(input, session)) {
        Ok(read) => read,
        Err(exit) => return exit,
    };
    let asked = Asked {
        session,
        input,
        setting,
        models,
    };
    let mut worst = Exit::Holds;
    for (number, &model) in asked.models.iter().enumerate() {
        if number > 0 && session.format().is_for_people() {
            worst = worst.worst(streams::print("\n"));
        }
        worst = worst.worst(one(question, &asked, model).unwrap_or_else(|exit| exit));
    }
    worst
}

fn one<Q: Question>(
    question: &Q,
    asked: &Asked<'_, Q::Setting>,
    model: Model,
) -> Result<Exit, Exit> {
    let started = Instant::now();
    let answer = question.ask(asked, model)?;
    let measured = Measured {
        seconds: Some(started.elapsed().as_secs_f64()),
        peak_rss_kib: peak_rss_kib(),
    };
    let report = question.report(asked, &answer, measured);
    let printed = asked.session.report(&report, question.stream());
    let done = question.afterwards(asked, &answer);
    Ok(printed.worst(done).worst(question.exit(&answer)))
}

/// A text that is made from a program.
pub(super) trait Product: Clone + Send + 'static {
    /// What is done, for a message that it was stopped while doing so.
    const DOING: &'static str;

    /// Where the program is; `-` for standard input.
    fn file(&self) -> &Path;

    /// Why it cannot be made in this format, if it cannot.
    fn contradiction(&self, _format: MessageFormat) -> Option<&'static str> {
        None
    }

    /// Makes the text.
    ///
    /// # Errors
    ///
    /// What to print for the user, line by line, if there is no such text.
    fn make(&self, input: &Input, format: MessageFormat) -> Result<String, Vec<String>>;

    /// What the text for people lacks, line by line.
    fn remarks(&self, _input: &Input) -> Vec<String> {
        Vec::new()
    }

    /// Where the text goes; `-` for standard output.
    fn out(&self) -> &Path {
        Path::new("-")
    }
}

/// What to print if the serializer refuses, which no value gives it a reason to.
pub(super) fn unwritten(error: &serde_json::Error) -> Vec<String> {
    vec![format!("internal error: {error}")]
}

/// Makes the text and puts it where it goes.
pub(super) fn make<P: Product>(product: &P, session: &Session) -> Exit {
    let format = session.format();
    if let Some(message) = product.contradiction(format) {
        streams::complain(message);
        return Exit::Usage;
    }
    let input = match input::read(product.file(), &session.global, session.limits) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let (maker, from) = (product.clone(), Arc::clone(&input));
    let made = session.limits.work(move || maker.make(&from, format));
    match made.whole(P::DOING) {
        Ok(Ok(text)) if format.is_for_people() => {
            for remark in product.remarks(&input) {
                streams::complain(&remark);
            }
            output::write(product.out(), &visible(&text))
        }
        Ok(Ok(text)) => output::write(product.out(), &text),
        Ok(Err(messages)) => {
            for message in messages {
                streams::complain(&message);
            }
            Exit::Usage
        }
        Err(exit) => exit,
    }
}

/// The models that were asked for, each once, in the order of their first mention.
fn distinct(asked: &[Model]) -> Vec<Model> {
    let mut models = Vec::new();
    for &model in asked {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    models
}

/// The largest resident set of this process so far, where the system reports it.
fn peak_rss_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
