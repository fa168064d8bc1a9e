//! Programs and the attacks on them as JSON.

use super::robust::{Pair, pair};
use super::{SCHEMA, Stated, line, stated};
use crate::model::Model;
use crate::program::{Copies, LocId, Program, ThreadId, print};
use crate::report::{Source, instruction};
use crate::robustness::Attack;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(JsonSchema, Serialize)]
struct Header<'a> {
    schema: u32,
    tool: &'static str,
    version: &'static str,
    command: &'static str,
    file: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    program: &'a str,
}

impl<'a> Header<'a> {
    fn new(command: &'static str, source: &Source<'a>) -> Self {
        Self {
            schema: SCHEMA,
            tool: "fencepost",
            version: env!("CARGO_PKG_VERSION"),
            command,
            file: source.file,
            program: source.program.name(),
        }
    }
}

#[derive(JsonSchema, Serialize)]
pub(super) struct ProgramJson<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    cells: Vec<CellJson>,
    threads: Vec<ThreadJson<'a>>,
    goals: Vec<Stated>,
}

#[derive(JsonSchema, Serialize)]
struct CellJson {
    name: String,
    address: i32,
    initial: i32,
}

#[derive(JsonSchema, Serialize)]
struct ThreadJson<'a> {
    name: &'a str,
    /// Whether the thread represents any number of copies.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    any_number: bool,
    registers: Vec<RegisterJson<'a>>,
    entry: &'a str,
    locations: Vec<LocationJson<'a>>,
    instructions: Vec<InstructionJson<'a>>,
}

#[derive(JsonSchema, Serialize)]
struct RegisterJson<'a> {
    name: &'a str,
    initial: i32,
}

#[derive(JsonSchema, Serialize)]
struct LocationJson<'a> {
    label: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// The file of that line, if it is not that of the whole object.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    atomic: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    end: bool,
}

#[derive(JsonSchema, Serialize)]
struct InstructionJson<'a> {
    from: &'a str,
    to: &'a str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
}

/// The program as automata, for `show`: its cells, threads and goals.
///
/// # Errors
///
/// If serialization fails, which no value is expected to cause.
pub fn program(source: &Source<'_>) -> Result<String, serde_json::Error> {
    let program = source.program;
    let cells = program.cells().zip(program.initial_memory());
    let goals = program.goals().into_iter();
    line(&ProgramJson {
        header: Header::new("show", source),
        cells: cells
            .map(|(cell, &initial)| CellJson {
                name: program.cell_name(cell),
                address: cell.0,
                initial,
            })
            .collect(),
        threads: program
            .thread_ids()
            .map(|thread| self::thread(program, thread))
            .collect(),
        goals: goals.map(|goal| stated(source, goal)).collect(),
    })
}

fn thread(program: &Program, id: ThreadId) -> ThreadJson<'_> {
    let thread = program.thread(id);
    let label = |loc: LocId| thread.location(loc).name.as_str();
    let registers = thread.registers().iter().map(|register| RegisterJson {
        name: &register.name,
        initial: register.init,
    });
    let locations = thread.locations().iter().enumerate();
    let locations = locations.map(|(index, location)| LocationJson {
        label: &location.name,
        line: location.origin.known_line(),
        file: program.file(location.origin),
        atomic: location.atomic,
        end: thread.is_end(index.into()),
    });
    let sites = program.sites().filter(|(site, _)| site.thread == id);
    let instructions = sites.map(|(site, one)| InstructionJson {
        from: label(one.from),
        to: label(one.to),
        text: instruction(program, site),
        line: one.origin.known_line(),
        file: program.file(one.origin),
    });
    ThreadJson {
        name: thread.name(),
        any_number: thread.copies() == Copies::Any,
        registers: registers.collect(),
        entry: label(thread.entry()),
        locations: locations.collect(),
        instructions: instructions.collect(),
    }
}

#[derive(JsonSchema, Serialize)]
pub(super) struct AttacksJson<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    model: &'static str,
    attacks: Vec<AttackJson>,
}

#[derive(JsonSchema, Serialize)]
struct AttackJson {
    /// The number that `instrument --attack` takes.
    number: usize,
    #[serde(flatten)]
    pair: Pair,
    /// The instrumented program, if a single attack was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<String>,
}

/// The given attacks under a model, for `instrument`: each with its number and, if there is one, its
/// instrumented program.
///
/// # Errors
///
/// If serialization fails, which no value is expected to cause.
pub fn attacks(
    source: &Source<'_>,
    model: Model,
    attacks: &[(usize, Attack, Option<&Program>)],
) -> Result<String, serde_json::Error> {
    let attacks = attacks.iter().map(|&(number, attack, derived)| AttackJson {
        number,
        pair: pair(source, attack),
        derived: derived.map(print),
    });
    line(&AttacksJson {
        header: Header::new("instrument", source),
        model: model.name(),
        attacks: attacks.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Format, parse};
    use crate::program::Site;
    use serde_json::{Value, json};

    const TEXT: &str = "shared x, y = 3;
thread t {
    local r;
    atomic { x = 1; }
    r = y;
    assert(r == 3);
}
forbid x == 2;";

    fn shown() -> Value {
        let program = parse(TEXT).program.expect("no errors in the text");
        let source = Source {
            file: "a.fence",
            arguments: "",
            text: TEXT,
            format: Format::Fence,
            program: &program,
            races: &[],
            assumed_edition: None,
            left_out: &[],
        };
        let text = self::program(&source).expect("values that can be written");
        assert!(text.ends_with('\n') && !text.trim_end().contains('\n'));
        serde_json::from_str(&text).expect("JSON")
    }

    #[test]
    fn a_program_has_its_cells_and_goals() {
        let json = shown();
        assert_eq!(
            (&json["schema"], &json["command"]),
            (&json!(1), &json!("show"))
        );
        let cells = json["cells"].as_array().expect("cells");
        let cell = |at: usize| (cells[at]["name"].clone(), cells[at]["initial"].clone());
        assert_eq!(cells.len(), 2);
        assert_eq!(cell(0), (json!("x"), json!(0)));
        assert_eq!(cell(1), (json!("y"), json!(3)));
        let goals = json["goals"].as_array().expect("goals");
        assert_eq!(goals.len(), 2);
        assert_eq!(
            (&goals[0]["kind"], &goals[0]["line"]),
            (&json!("assert"), &json!(6))
        );
        assert_eq!(
            (&goals[1]["kind"], &goals[1]["line"]),
            (&json!("forbid"), &json!(8))
        );
        assert_eq!(goals[1]["number"], json!(2));
    }

    /// The begin of the block, the store, the end of the block, the load and the assertion; the
    /// locations before them, and the end location.
    #[test]
    fn a_thread_is_an_automaton_whose_edges_join_its_locations() {
        let json = shown();
        let thread = &json["threads"][0];
        assert_eq!(thread["registers"], json!([{"name": "r", "initial": 0}]));
        assert_eq!(thread.get("any_number"), None);
        let locations = thread["locations"].as_array().expect("locations");
        let instructions = thread["instructions"].as_array().expect("instructions");
        assert_eq!((locations.len(), instructions.len()), (6, 5));
        let count = |key: &str| locations.iter().filter(|l| l[key] == json!(true)).count();
        assert_eq!((count("atomic"), count("end")), (2, 1));
        assert_eq!(instructions[0]["from"], thread["entry"]);
        let lines: Vec<&Value> = instructions.iter().map(|i| &i["line"]).collect();
        assert_eq!(lines[3..], [&json!(5), &json!(6)]);
    }

    #[test]
    fn an_attack_has_its_number_its_places_and_its_instrumented_program() {
        let program = parse("shared x, y; thread t { local r; x = 1; r = y; }").program;
        let program = program.expect("no errors in the text");
        let source = Source {
            file: "a.fence",
            arguments: "",
            text: "",
            format: Format::Fence,
            program: &program,
            races: &[],
            assumed_edition: None,
            left_out: &[],
        };
        let (store, last) = (
            Site {
                thread: 0.into(),
                instr: 0.into(),
            },
            1.into(),
        );
        let attack = Attack {
            thread: store.thread,
            store: store.instr,
            last,
        };
        let written = attacks(
            &source,
            Model::Tso,
            &[(7, attack, Some(&program)), (8, attack, None)],
        );
        let json: Value =
            serde_json::from_str(&written.expect("values that can be written")).expect("JSON");
        assert_eq!(json["model"], json!("tso"));
        let [first, second] = [&json["attacks"][0], &json["attacks"][1]];
        assert_eq!(
            (&first["number"], &first["thread"]),
            (&json!(7), &json!("t"))
        );
        assert_ne!(first["store"]["label"], first["load"]["label"]);
        assert_eq!(first["derived"], json!(print(&program)));
        assert_eq!(second.get("derived"), None);
    }
}
