//! `fencepost export`: the question of the bounded engine, for any SAT solver.

use super::input::Input;
use super::limits::Limits;
use super::{Exit, ExportArguments, Global, input, output, streams};
use crate::encode::{FenceKind, FencePoint, Plan};
use crate::model::Model;
use crate::program::{Goal, Program};
use crate::reach::{Method, dimacs};
use crate::report::Source;
use crate::visible::{visible, visible_line};

/// Runs the command.
pub(super) fn run(arguments: &ExportArguments, global: &Global) -> Exit {
    let limits = Limits::new(global);
    let input = match input::read(&arguments.file, global, limits) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let program = input.program.clone();
    if program.is_parametric() {
        streams::complain(
            "threads of any number of copies (`[*]`) have no formula: declare a number of copies, \
             as in `[3]`",
        );
        return Exit::Usage;
    }
    let goal = match chosen(&input, arguments.goal) {
        Ok(goal) => goal,
        Err(message) => {
            streams::complain(&message);
            return Exit::Usage;
        }
    };
    let plan = Plan {
        models: Model::ALL.to_vec(),
        fences: if arguments.fences {
            places(&program)
        } else {
            Vec::new()
        },
        returns: arguments.unroll,
        ..Plan::new(program.goals(), arguments.model)
    };
    let model = arguments.model;
    let written = limits.work(move || dimacs(&program, plan, Method::default(), goal, model));
    let text = match written.whole("making the formula; nothing was written") {
        // Names are in comments only.
        Ok(text) => visible(&text).into_owned(),
        Err(exit) => return exit,
    };
    if arguments.cnf.as_os_str() == "-" {
        return streams::print(&text);
    }
    output::write(&arguments.cnf, &text)
}

/// The goal of this number, or the only one.
///
/// # Errors
///
/// If there is none such; the message lists those that there are.
fn chosen(input: &Input, number: Option<usize>) -> Result<Goal, String> {
    let goals = input.program.goals();
    let wrong = match (number, &goals[..]) {
        (_, []) => return Err("the program asks no question".to_owned()),
        (None, &[goal]) => return Ok(goal),
        (None, _) => "the program asks several questions: choose one with `--goal N`".to_owned(),
        (Some(number), _) => match number.checked_sub(1).and_then(|index| goals.get(index)) {
            Some(&goal) => return Ok(goal),
            None => format!("there is no goal {number}"),
        },
    };
    let source = Source {
        file: &input.file,
        text: &input.text,
        format: input.format,
        program: &input.program,
    };
    let list = goals.iter().enumerate();
    Err(list.fold(wrong, |text, (index, &goal)| {
        let reached = visible_line(&source.goal_reached(goal));
        format!("{text}\n  {}  {reached}", index + 1)
    }))
}

/// Every location where a fence can stand: outside atomic blocks, before some instruction.
fn places(program: &Program) -> Vec<FencePoint> {
    let mut points: Vec<FencePoint> = program
        .sites()
        .map(|(site, instruction)| FencePoint {
            thread: site.thread,
            loc: instruction.from,
            kind: FenceKind::Full,
        })
        .filter(|point| !program.thread(point.thread).location(point.loc).atomic)
        .collect();
    points.sort_unstable();
    points.dedup();
    points
}
