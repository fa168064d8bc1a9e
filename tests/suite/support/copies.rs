//! Random programs with threads in any number of copies, in parts: each can be written with `[*]`, or with a
//! number of copies of each thread.
//!
//! Programs of one law have one or two such threads, sometimes with the same code, none to two threads that
//! exist once, often with the code of the others, and properties that name different numbers of copies.

use proptest::prelude::*;
use std::fmt::Write as _;

/// A property, and how many copies of each thread it names.
#[derive(Clone, Debug)]
pub struct Property {
    pub text: String,
    /// The copies of `w` and of `v` that it names.
    pub named: [usize; 2],
    /// Whether it is about ends or waiting: more copies may make a difference though they do nothing.
    pub about_all: bool,
}

/// A program in parts.
#[derive(Clone, Debug)]
pub struct Classes {
    /// The bodies of the threads that exist once.
    pub singles: Vec<String>,
    /// The bodies of the threads in any number of copies: `w`, and perhaps `v`.
    pub bodies: Vec<String>,
    pub properties: Vec<Property>,
}

impl Classes {
    /// The names of the threads in any number of copies.
    pub fn names(&self) -> &'static [&'static str] {
        &["w", "v"][..self.bodies.len()]
    }

    fn written(&self, copies: impl Fn(usize) -> String, has: impl Fn(&Property) -> bool) -> String {
        let mut text = "shared x, y, g;\n".to_owned();
        for (number, body) in self.singles.iter().enumerate() {
            writeln!(text, "thread one{number} {{ local r, s; {body} }}").expect("a text has room");
        }
        for (at, (name, body)) in self.names().iter().zip(&self.bodies).enumerate() {
            let copies = copies(at);
            writeln!(text, "thread {name}[{copies}] {{ local r, s; {body} }}")
                .expect("a text has room");
        }
        for property in self.properties.iter().filter(|property| has(property)) {
            text += &property.text;
            text += "\n";
        }
        text
    }

    /// With any number of copies.
    pub fn text(&self) -> String {
        self.written(|_| "*".to_owned(), |_| true)
    }

    /// With these numbers of copies, and the properties that name no more.
    pub fn instance(&self, counts: &[usize]) -> String {
        self.written(
            |at| counts[at].to_string(),
            |property| fits(property, counts),
        )
    }

    /// The numbers of the properties that an instance has.
    pub fn fitting(&self, counts: &[usize]) -> Vec<usize> {
        let all = 0..self.properties.len();
        all.filter(|&number| fits(&self.properties[number], counts))
            .collect()
    }

    /// All numbers of copies with at most this sum, smaller sums first.
    pub fn sizes(&self, most: usize) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = match self.bodies.len() {
            1 => (1..=most).map(|count| vec![count]).collect(),
            _ => (1..most)
                .flat_map(|a| (1..=most - a).map(move |b| vec![a, b]))
                .collect(),
        };
        all.sort_by_key(|counts| counts.iter().sum::<usize>());
        all
    }
}

fn fits(property: &Property, counts: &[usize]) -> bool {
    let mut named = property.named.iter().enumerate();
    named.all(|(at, &named)| named <= counts.get(at).copied().unwrap_or(0))
}

fn cell() -> impl Strategy<Value = &'static str> + Clone {
    prop::sample::select(vec!["x", "y"])
}

/// A statement. Cells keep few values, so that views have a chance to be finished.
fn statement() -> impl Strategy<Value = String> {
    let simple = (cell(), 0..3, 0..8).prop_map(|(cell, value, kind)| match kind {
        0 | 1 => format!("{cell} = {value};"),
        2 | 3 => format!("r = {cell};"),
        4 => format!("r = xchg({cell}, {value});"),
        5 => format!("r = cas({cell}, {value}, 1);"),
        6 => format!("atomic {{ s = {cell}; assume(s < 2); {cell} = s + 1; r = s; }}"),
        _ => format!("assume({cell} != {value});"),
    });
    let after = simple.clone();
    prop_oneof![
        5 => simple.clone(),
        1 => (0..3, after).prop_map(|(value, then)| format!("if (r == {value}) {{ {then} }}")),
        1 => (cell(), 0..2).prop_map(|(cell, value)| format!("while ({cell} == {value}) {{ }}")),
        1 => (cell(), 0..2).prop_map(|(cell, value)| format!("atomic {{ r = {cell}; assume(r != {value}); }}")),
        1 => (0..3).prop_map(|value| format!("assert(r != {value});")),
        1 => between(),
    ]
}

/// Something between a store and a load, or two stores.
fn between() -> impl Strategy<Value = String> {
    let all = vec![
        "",
        "",
        "fence;",
        "fence store;",
        "fence(x);",
        "fence(y);",
        "r = xchg(y, 1);",
        "y = 2;",
    ];
    prop::sample::select(all).prop_map(str::to_owned)
}

fn body() -> impl Strategy<Value = String> {
    (prop::collection::vec(statement(), 1..4), 0..4_usize).prop_map(|(mut statements, at)| {
        let at = at.min(statements.len());
        statements.insert(at, "here: skip;".to_owned());
        statements.join(" ")
    })
}

/// A store and a later load, sometimes with something in between.
fn accesses() -> impl Strategy<Value = String> {
    (any::<bool>(), 0..5, between(), 0..4).prop_map(|(first, kind, between, cost)| {
        let (mine, other) = if first { ("x", "y") } else { ("y", "x") };
        let cost = if cost == 0 { "@cost 3 " } else { "" };
        match kind {
            0 => format!("{mine} = 1; {between} {cost}{other} = 1;"),
            1 => format!("r = {mine}; {between} {cost}s = {other};"),
            _ => format!("{mine} = 1; {between} {cost}r = {other};"),
        }
    })
}

/// A body of which a copy that passes a gate in some order executes one part, and others another.
fn gated(part: BoxedStrategy<String>) -> impl Strategy<Value = String> {
    (part.clone(), part, 2..4, 0..3).prop_map(|(one, other, copies, kind)| {
        let last = copies - 1;
        match kind {
            0 => format!("atomic {{ s = g; g = 1; }} if (s == 0) {{ {one} }} else {{ {other} }}"),
            1 => format!("choose {{ {one} }} or {{ {other} }}"),
            _ => format!(
                "atomic {{ s = g; assume(s < {copies}); g = s + 1; }} \
                 if (s == {last}) {{ {one} }} else {{ {other} }}"
            ),
        }
    })
}

/// A property about copies of these threads.
fn property(classes: usize) -> impl Strategy<Value = Property> {
    let value = 0..3;
    let name = if classes == 1 {
        prop::sample::select(vec!["w"])
    } else {
        prop::sample::select(vec!["w", "v"])
    };
    (cell(), value, 0..14, name).prop_map(move |(cell, value, kind, name)| {
        let two = classes == 2;
        let (text, count, about_all) = match kind {
            0 => (format!("forbid {cell} == {value};"), 0, false),
            1 => (
                format!("forbid {name}.0@here && {cell} == {value};"),
                1,
                false,
            ),
            2 => (format!("forbid {name}.0@here && {name}.1@here;"), 2, false),
            3 => (
                format!("forbid {name}.0.r == {value} && {name}.1.r == {value} && {name}.2@here;"),
                3,
                false,
            ),
            4 => (format!("final assert {cell} != {value};"), 0, true),
            5 => (format!("final assert {name}.0.r != {value};"), 1, true),
            6 => (
                format!("final assert {name}.0.r == {name}.1.r || {cell} == {value};"),
                2,
                true,
            ),
            7 => (format!("exists {cell} == {value};"), 0, true),
            8 => (format!("exists {name}.0.r == {value};"), 1, true),
            9 => (format!("forbid stuck && ({cell} == {value});"), 0, true),
            10 => ("forbid stuck;".to_owned(), 0, true),
            11 => (
                format!("forbid stuck {name}.0 && ({cell} != {value});"),
                1,
                true,
            ),
            12 => (format!("forbid stuck && ({name}.0.r == {value});"), 1, true),
            _ if two => {
                return Property {
                    text: format!("forbid w.0@here && v.0@here && {cell} == {value};"),
                    named: [1, 1],
                    about_all: false,
                };
            }
            _ => (
                format!("exists {name}.0.r == {name}.1.r && {cell} == {value};"),
                2,
                true,
            ),
        };
        let named = if name == "w" { [count, 0] } else { [0, count] };
        Property {
            text,
            named,
            about_all,
        }
    })
}

/// What the bodies of a program are made of.
fn program(
    part: BoxedStrategy<String>,
    properties: std::ops::Range<usize>,
) -> impl Strategy<Value = Classes> {
    (part.clone(), part.clone(), part, 0..9, 0..8).prop_flat_map(
        move |(w, v, single, singles, classes)| {
            let classes = match classes {
                // Two threads with the same code are two threads.
                0 => vec![w.clone(), w],
                1 | 2 => vec![w, v],
                _ => vec![w],
            };
            let singles = match singles {
                0 | 1 => vec![classes[0].clone()],
                2 => vec![classes[0].clone(), single],
                3..=5 => vec![single],
                _ => Vec::new(),
            };
            let number = classes.len();
            let properties = prop::collection::vec(property(number), properties.clone());
            properties.prop_map(move |properties| Classes {
                singles: singles.clone(),
                bodies: classes.clone(),
                properties,
            })
        },
    )
}

/// A program with properties of all kinds.
pub fn with_properties() -> impl Strategy<Value = Classes> {
    let here = |body: String| {
        if body.contains("here:") {
            body
        } else {
            body + " here: skip;"
        }
    };
    let flat = body().boxed();
    let gated = gated(between_statements().boxed()).prop_map(here).boxed();
    program(prop_oneof![3 => flat, 2 => gated].boxed(), 1..4)
}

fn between_statements() -> impl Strategy<Value = String> {
    prop::collection::vec(statement(), 1..3).prop_map(|statements| statements.join(" "))
}

/// A program whose threads often delay stores.
pub fn delaying() -> impl Strategy<Value = Classes> {
    let part = prop_oneof![2 => gated(accesses().boxed()).boxed(), 1 => accesses().boxed()];
    program(part.boxed(), 0..1)
}

/// The same, with properties that delayed stores may violate.
pub fn delaying_with_properties() -> impl Strategy<Value = Classes> {
    let here = |body: String| body + " here: skip;";
    let part = prop_oneof![2 => gated(accesses().boxed()).boxed(), 1 => accesses().boxed()];
    program(part.prop_map(here).boxed(), 1..3)
}
