//! `fencepost help`: commands, and the pages of the guide.

use super::driver::{Stream, print};
use super::exit::Exit;
use super::streams;
use super::{Arguments, Session};
use crate::guide::PAGES;
use crate::text::nearest;
use clap::{Args, CommandFactory};
use std::iter;

#[derive(Args, Clone, Debug)]
pub(super) struct Help {
    /// A command, or a topic; without one, lists all of them
    topic: Option<String>,
}

/// Prints the help of a command or the page of a topic.
pub(super) fn run(help: &Help, _: &Session) -> Exit {
    let mut program = Arguments::command();
    program.build();
    let Some(topic) = &help.topic else {
        return print(Ok(program.render_long_help().to_string()), Stream::Output);
    };
    if let Some(page) = PAGES.iter().find(|page| page.name == topic) {
        return print(Ok(page.plain()), Stream::Output);
    }
    if let Some(command) = program.find_subcommand_mut(topic) {
        return print(Ok(command.render_long_help().to_string()), Stream::Output);
    }
    let pages = PAGES.iter().map(|page| page.name);
    let known: Vec<&str> = program
        .get_subcommands()
        .map(clap::Command::get_name)
        .chain(pages)
        .collect();
    let nearest = nearest(topic, known.iter().copied());
    let tip = match nearest {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("there is help on {}", known.join(", ")),
    };
    streams::print_message(&format!(
        "no command and no topic is called `{topic}`: {tip}"
    ));
    Exit::Usage
}

/// What the help of the program lists after its commands.
pub(super) fn topics() -> String {
    let width = PAGES.iter().map(|page| page.name.len()).max().unwrap_or(0);
    let rows = PAGES.iter().map(|page| {
        let about = page.about.trim();
        format!("  {:width$}  {about}", page.name)
    });
    let head = "Topics (`fencepost help TOPIC`):".to_owned();
    iter::once(head).chain(rows).collect::<Vec<_>>().join("\n")
}
