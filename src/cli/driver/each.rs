//! The loop over the programs of a call: titles, totals, and when it stops.
//!
//! **Invariant.** Each program that is begun has a result, or a report that it has none.

use super::{Reports, Session, Stream, print};
use crate::cli::exit::Exit;
use crate::cli::guard::guarded;
use crate::cli::input::{self, Input};
use crate::cli::program::ProgramArgs;
use crate::cli::streams;
use crate::cli::tally::Tally;
use crate::report::{Failed, Problem, Report, Unread};
use crate::visible::visible;
use std::sync::Arc;

/// A call of a command.
pub(super) struct Call<'s> {
    /// The name of the command.
    pub(super) command: &'static str,
    pub(super) session: &'s Session,
    /// The stream that reports are printed on.
    pub(super) to: Stream,
    pub(super) prints: Prints,
}

/// What a command prints about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Prints {
    /// Results, which are counted at the end. With `--quiet` each is a line, which begins with the program.
    Results,
    /// A text, whatever its form.
    Text,
}

/// What the commands of a call had so far: `cargo fencepost` runs one for each set of options.
#[derive(Default)]
pub(in crate::cli) struct Together {
    reports: Option<Reports>,
    tally: Tally,
    programs: usize,
}

/// One of the programs of a call.
pub(super) struct Job<'c> {
    pub(super) call: &'c Call<'c>,
    program: &'c ProgramArgs,
    /// Its file.
    pub(super) file: String,
    /// What each line about it begins with, if it has no title.
    prefix: Option<String>,
    reports: &'c mut Reports,
}

impl Job<'_> {
    /// Reads the program.
    ///
    /// # Errors
    ///
    /// The exit code, if it cannot be read; that has been reported.
    pub(super) fn read(&mut self) -> Result<Arc<Input>, Exit> {
        let session = self.call.session;
        let read = input::read(self.program, &session.global, session.limits);
        read.map_err(|failure| match failure.exit {
            Exit::Internal => self.failed(),
            exit @ (Exit::Holds | Exit::Violated | Exit::Usage | Exit::Undecided) => {
                self.unread(exit, &failure.problems)
            }
        })
    }

    pub(super) fn print(&mut self, report: &Report<'_>) -> Exit {
        self.reports.print_after(self.prefix.as_deref(), report)
    }

    /// Reports that there is no result because of these problems of the text, which have been printed.
    pub(super) fn unread(&mut self, exit: Exit, problems: &[Problem]) -> Exit {
        let (command, file) = (self.call.command, self.file.clone());
        let unread = Unread {
            command,
            file: &file,
            problems,
        };
        let is_brief = self.call.session.global.brief;
        let reason = Problem::first_error(problems).filter(|_| is_brief);
        let why = ("Not read", reason.map(Problem::sentence));
        self.without_result(exit, why, &Report::Unread(unread))
    }

    /// Reports that there is no result because of a defect, which has been printed.
    fn failed(&mut self) -> Exit {
        let (command, file) = (self.call.command, self.file.clone());
        let failed = Failed {
            command,
            file: &file,
        };
        let why = ("Internal error", None);
        self.without_result(Exit::Internal, why, &Report::Failed(failed))
    }

    fn without_result(
        &mut self,
        exit: Exit,
        (why, reason): (&str, Option<String>),
        report: &Report<'_>,
    ) -> Exit {
        let prefix = self.prefix.as_ref();
        let reason = reason.unwrap_or_else(|| "see the messages".to_owned());
        let line = prefix.map(|prefix| format!("{prefix}{why}: {}.\n", visible(&reason)));
        let printed = line.map_or(Exit::Holds, |line| print(Ok(line), self.call.to));
        exit.worst(printed).worst(self.reports.print(report))
    }

    /// The exit code of work for the program; a defect, which has been printed, is reported.
    pub(super) fn ended(&mut self, done: Result<Exit, Exit>) -> Exit {
        match done {
            Err(Exit::Internal) => self.failed(),
            Ok(exit) | Err(exit) => exit,
        }
    }
}

/// Does this work for each of the programs. The worst result determines the exit code. A panic is an internal
/// error of its program alone.
///
/// `contradiction` is an error message, if the other arguments do not fit so many programs.
pub(super) fn each(
    call: &Call<'_>,
    given: &ProgramArgs,
    contradiction: impl FnOnce(usize) -> Option<String>,
    work: impl Fn(&mut Job<'_>) -> Exit,
) -> Exit {
    let session = call.session;
    let Together {
        reports,
        mut tally,
        programs: before,
    } = session.take_together();
    let mut reports = reports.unwrap_or_else(|| session.reports(call.to));
    let programs = match given.programs(session.global.input_format()) {
        Ok(programs) => programs,
        Err(message) => {
            streams::print_message(&message);
            return reports.abandon(Exit::Usage);
        }
    };
    if let Some(message) = contradiction(programs.len()) {
        streams::print_message(&message);
        return Exit::Usage;
    }
    let several = (programs.len() > 1 || given.are_chosen()) && session.format().is_for_people();
    let in_lines = several && call.prints == Prints::Results && session.global.quiet;
    for (number, program) in programs.iter().enumerate() {
        if several && !in_lines {
            tally.print(streams::print(&title(before + number, program)));
        }
        let mut job = Job {
            call,
            program,
            file: program.file(),
            prefix: in_lines.then(|| format!("{}: ", visible(&program.title()))),
            reports: &mut reports,
        };
        let exit = guarded(|| work(&mut job));
        tally.add(exit.unwrap_or_else(|exit| exit));
        let left = programs.len() - number - 1;
        // No time is left for the others, and no one waits for them after an interrupt.
        if left > 0 && session.limits.is_over() {
            let noun = if left == 1 { "program" } else { "programs" };
            streams::print_message(&format!("stopped with {left} {noun} left"));
            tally.leave(left);
            break;
        }
    }
    let programs = before + programs.len();
    if session.has_more {
        let worst = tally.worst;
        session.leave_together(Together {
            reports: Some(reports),
            tally,
            programs,
        });
        return worst;
    }
    if several && call.prints == Prints::Results {
        tally.print(streams::print(&tally.sentence(programs)));
    }
    reports.finish(tally.worst)
}

/// A line with the name of a program, after a blank line if it is not the first.
fn title(number: usize, program: &ProgramArgs) -> String {
    let blank = if number > 0 { "\n" } else { "" };
    format!("{blank}== {} ==\n", visible(&program.title()))
}
