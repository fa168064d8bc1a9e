//! `fencepost help`: commands, and the pages of the guide.

use super::driver::{Stream, print};
use super::exit::Exit;
use super::{Arguments, COMMANDS, Session, pager, streams};
use crate::guide::{Layout, PAGES, Page};
use crate::reference::Shape;
use crate::text::nearest;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command, CommandFactory};
use std::ffi::OsStr;
use std::iter;

#[derive(Args, Clone, Debug)]
pub(super) struct Help {
    /// A command, a topic, or the name of a cycle, such as `SB`; without one, lists all of them
    #[arg(value_parser = Topics, hide_possible_values = true)]
    topic: Option<String>,
}

/// The page about the names of cycles.
const CYCLES: &str = "cycles";

/// Accepts any text, since cycles have names, too, and offers what it lists to the completions of shells.
#[derive(Clone)]
struct Topics;

impl TypedValueParser for Topics {
    type Value = String;

    fn parse_ref(
        &self,
        _: &Command,
        _: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        Ok(value.to_string_lossy().into_owned())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(known().map(PossibleValue::new)))
    }
}

/// The commands and the topics.
fn known() -> impl Iterator<Item = &'static str> {
    let pages = PAGES.iter().map(|page| page.name);
    COMMANDS.iter().copied().chain(pages)
}

/// Prints the help of a command or the page of a topic.
pub(super) fn run(help: &Help, session: &Session) -> Exit {
    let mut program = Arguments::command();
    program.build();
    let Some(topic) = &help.topic else {
        return print(Ok(program.render_long_help().to_string()), Stream::Output);
    };
    let name = topic.to_ascii_lowercase();
    if let Some(page) = page(&name) {
        return show(page, session);
    }
    if let Some(command) = program.find_subcommand_mut(&name) {
        return print(Ok(command.render_long_help().to_string()), Stream::Output);
    }
    if let Some(page) = Shape::named(topic).and_then(|_| page(CYCLES)) {
        return show(page, session);
    }
    let known: Vec<&str> = known().collect();
    let tip = match nearest(&name, known.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("there is help on {}", known.join(", ")),
    };
    streams::print_message(&format!(
        "no command and no topic is called `{topic}`: {tip}"
    ));
    Exit::Usage
}

fn page(name: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.name == name)
}

/// Prints a page: laid out on a terminal, and as it is in the sources for other programs.
fn show(page: &Page, session: &Session) -> Exit {
    let style = session.style();
    let is_terminal = streams::is_terminal();
    if !is_terminal && !style.color {
        return print(Ok(page.plain()), Stream::Output);
    }
    let text = page.on_terminal(Layout {
        width: style.width,
        color: style.color,
    });
    if is_terminal {
        pager::show(&text)
    } else {
        print(Ok(text), Stream::Output)
    }
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
