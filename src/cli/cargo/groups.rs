//! The tests by the options with which they are checked: those of the command line, which count more, and those that the
//! attribute of a test states.

use super::Arguments;
use crate::cli::driver::{Session, Together};
use crate::cli::exit::Exit;
use crate::cli::limits::Limits;
use crate::cli::packages::MANIFEST;
use crate::cli::program::ProgramArgs;
use crate::cli::{self, Command, Global};
use crate::formats::StatedOption;
use clap::Parser;

/// The option by which threads must not wait forever.
const FORBID: &str = "--forbid-stuck";

/// What the command line says.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) command: Option<&'a str>,
    pub(super) arguments: &'a Arguments,
}

/// Tests with the same options.
pub(super) struct Group {
    /// The command line of `fencepost` for them.
    words: Vec<String>,
    programs: Vec<ProgramArgs>,
}

/// What is the same for the programs of all tests.
///
/// # Errors
///
/// The message to print, if the command line is not valid.
pub(super) fn program(asked: &Asked<'_>) -> Result<ProgramArgs, String> {
    let (mut command, _) = parsed(&asked.words(&[]), asked)?;
    let program = command
        .program_mut()
        .ok_or("this command checks no programs")?;
    Ok(program.clone())
}

/// Adds a test to the last group, if that has the same options, or to one more.
pub(super) fn add(
    all: &mut Vec<Group>,
    asked: &Asked<'_>,
    stated: &[StatedOption],
    program: ProgramArgs,
) {
    let words = asked.words(stated);
    // A timeout is that of one test.
    let is_alone = stated.iter().any(|(name, _)| name == "timeout");
    match all.last_mut() {
        Some(last) if last.words == words && !is_alone => last.programs.push(program),
        Some(_) | None => all.push(Group {
            words,
            programs: vec![program],
        }),
    }
}

/// Runs the command of each group. The worst result determines the exit code.
///
/// # Errors
///
/// The message to print, if the options of a test are not valid.
pub(super) fn run(mut all: Vec<Group>, asked: &Asked<'_>, global: &Global) -> Result<Exit, String> {
    let mut commands = Vec::new();
    for group in &all {
        let names = || {
            let titles: Vec<String> = group.programs.iter().map(ProgramArgs::title).collect();
            titles.join(", ")
        };
        let of = parsed(&group.words, asked).map_err(|why| format!("{}: {why}", names()))?;
        commands.push(of);
    }
    let limits = Limits::new(global);
    let is_one =
        asked.arguments.exact && all.iter().map(|of| of.programs.len()).sum::<usize>() == 1;
    let mut together = Together::default();
    let mut worst = Exit::Holds;
    let count = all.len();
    for (number, (mut command, own)) in commands.into_iter().enumerate() {
        let programs = std::mem::take(&mut all[number].programs);
        if let Some(program) = command.program_mut() {
            let stuck = program.forbids_stuck();
            let any_number = program.has_any_number();
            let room = program.capacity();
            let programs = programs.into_iter();
            let programs = programs.map(|one| one.with(stuck, any_number, room));
            let mut programs: Vec<ProgramArgs> = programs.collect();
            match programs.pop() {
                Some(one) if is_one => *program = one,
                last => {
                    programs.extend(last);
                    program.choose(programs);
                }
            }
        }
        let mut global = global.clone();
        let limits = match own.timeout {
            Some(_) if global.timeout.is_none() => {
                global.timeout = own.timeout;
                Limits::new(&global)
            }
            Some(_) | None => limits,
        };
        let session = Session::of_several(&global, limits, together, number + 1 < count);
        worst = worst.worst(command.run(&session));
        together = session.take_together();
    }
    Ok(worst)
}

impl Asked<'_> {
    /// The command line of `fencepost` for a test that states these options. The files are chosen later.
    fn words(&self, stated: &[StatedOption]) -> Vec<String> {
        let arguments = self.arguments;
        let is_robust = stated.iter().any(|(name, _)| name == "robust");
        let command = self
            .command
            .unwrap_or(if is_robust { "robust" } else { "check" });
        let mut words = vec!["fencepost".to_owned()];
        let asked = command;
        let command = match (command, arguments.fix) {
            ("robust", true) => {
                words.push("fence".to_owned());
                "fence"
            }
            ("check" | "fence", true) => {
                words.extend(["fence", "--for", "assertions"].map(str::to_owned));
                "fence"
            }
            (name, _) => {
                words.push(name.to_owned());
                name
            }
        };
        words.push(MANIFEST.to_owned());
        let stuck = ["forbid_stuck", "allow_stuck"];
        // Whether store buffers add behaviour is no question about waiting.
        let is_about_assertions = command == "check" || arguments.fix && asked != "robust";
        let may_wait = arguments.allow_stuck || stated.iter().any(|(name, _)| name == stuck[1]);
        if is_about_assertions && !may_wait && !arguments.rest.iter().any(|word| word == FORBID) {
            words.push(FORBID.to_owned());
        }
        let mut model = arguments.model.clone();
        for (name, value) in stated {
            let option = format!("--{}", name.replace('_', "-"));
            let given = |word: &String| word.split('=').next() == Some(option.as_str());
            // The command says which question it is; fences are found by an algorithm of their own.
            let is_elsewhere = name == "robust"
                || stuck.contains(&&**name)
                || name == "engine" && command == "fence";
            if is_elsewhere || arguments.rest.iter().any(given) {
                continue;
            }
            if name == "model" {
                model = model.or_else(|| value.clone());
                continue;
            }
            words.push(match value {
                Some(value) => format!("{option}={value}"),
                None => option,
            });
        }
        let model = model.unwrap_or_else(|| "tso".to_owned());
        words.extend(["--model".to_owned(), model.replace(' ', "")]);
        words.extend(arguments.rest.iter().cloned());
        words
    }
}

/// The command of a command line, and its options that every command has.
fn parsed(words: &[String], asked: &Asked<'_>) -> Result<(Command, Global), String> {
    let parsed = cli::Arguments::try_parse_from(words);
    let mut parsed = parsed.map_err(|error| error.render().to_string().trim_end().to_owned())?;
    if let Some(program) = parsed.command.program_mut() {
        let room = program.capacity();
        program.set_rust(asked.arguments.rust.clone().with_capacity(room));
    }
    if asked.arguments.fix {
        parsed.command.fix();
    }
    Ok((parsed.command, parsed.global))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(words: &[&str]) -> Arguments {
        Arguments::try_parse_from([&["cargo fencepost"], words].concat()).expect("they are valid")
    }

    #[test]
    fn what_follows_two_dashes_are_options_of_the_command() {
        let with = |words: &[&str]| {
            let arguments = arguments(words);
            let asked = Asked {
                command: None,
                arguments: &arguments,
            };
            program(&asked).map(|_| ())
        };
        assert!(with(&["check", "--", "--engine", "ic3"]).is_ok());
        let message = with(&["check", "--", "--engine", "steam"]);
        let message = message.expect_err("there is no such engine");
        assert!(message.contains("steam"), "{message}");
    }

    #[test]
    fn the_command_line_counts_more_than_the_attribute() {
        let stated = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        let all = [
            stated("model", Some("tso, pso")),
            stated("robust", None),
            stated("unroll", Some("3")),
        ];
        let with = |command: Option<&str>, words: &[&str]| {
            let arguments = arguments(words);
            let asked = Asked {
                command,
                arguments: &arguments,
            };
            asked.words(&all)[1..].join(" ")
        };
        let manifest = MANIFEST;
        assert_eq!(
            with(None, &[]),
            format!("robust {manifest} --unroll=3 --model tso,pso")
        );
        assert_eq!(
            with(Some("check"), &["--model", "sc", "--", "--unroll", "4"]),
            format!("check {manifest} --forbid-stuck --model sc --unroll 4")
        );
        assert_eq!(
            with(Some("check"), &["--allow-stuck"]),
            format!("check {manifest} --unroll=3 --model tso,pso")
        );
        assert_eq!(
            with(None, &["--fix", "--", "--all"]),
            format!("fence {manifest} --unroll=3 --model tso,pso --all")
        );
    }
}
