//! Random programs with threads in any number of copies, in parts: each can be written with `[*]`, or with a
//! number of copies of each thread.
//!
//! Programs of one law have one or two such threads, sometimes with the same code, none to two threads that
//! exist once, often with the code of the others, and properties that name different numbers of copies.

use proptest::prelude::*;
use std::fmt::Write as _;

/// A property, in which `#0`, `#1` and so on are the copies that it names.
#[derive(Clone, Debug)]
pub struct Property {
    pattern: String,
    /// By copy: its class, and its number in the text with `[*]`, where any numbers mean different copies.
    names: Vec<(usize, usize)>,
    /// Whether it is about ends or waiting: more copies may make a difference though they do nothing.
    pub about_all: bool,
}

/// The names of the threads in any number of copies.
const NAMES: [&str; 2] = ["w", "v"];

impl Property {
    /// The copies of `w` and of `v` that it names.
    pub fn named(&self) -> [usize; 2] {
        [0, 1].map(|class| self.names.iter().filter(|name| name.0 == class).count())
    }

    /// In the text with `[*]`.
    pub fn text(&self) -> String {
        self.with_numbers(|_, number| number)
    }

    /// In an instance, whose copies are named from 0 on.
    pub fn in_instance(&self) -> String {
        self.with_numbers(|at, _| {
            let (class, _) = self.names[at];
            let before = self.names[..at].iter();
            before.filter(|name| name.0 == class).count()
        })
    }

    fn with_numbers(&self, number: impl Fn(usize, usize) -> usize) -> String {
        let mut text = self.pattern.clone();
        for (at, &(class, given)) in self.names.iter().enumerate() {
            let name = format!("{}.{}", NAMES[class], number(at, given));
            text = text.replace(&format!("#{at}"), &name);
        }
        text
    }
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
        &NAMES[..self.bodies.len()]
    }

    fn written(
        &self,
        copies: impl Fn(usize) -> String,
        property: impl Fn(&Property) -> Option<String>,
    ) -> String {
        let mut text = "shared x, y, g, a, b;\n".to_owned();
        for (number, body) in self.singles.iter().enumerate() {
            writeln!(text, "thread one{number} {{ local r, s; {body} }}").expect("a text has room");
        }
        for (at, (name, body)) in self.names().iter().zip(&self.bodies).enumerate() {
            let copies = copies(at);
            writeln!(text, "thread {name}[{copies}] {{ local r, s; {body} }}")
                .expect("a text has room");
        }
        for property in self.properties.iter().filter_map(property) {
            text += &property;
            text += "\n";
        }
        text
    }

    /// With any number of copies.
    pub fn text(&self) -> String {
        self.written(|_| "*".to_owned(), |property| Some(property.text()))
    }

    /// With these numbers of copies, and the properties that name no more.
    pub fn instance(&self, counts: &[usize]) -> String {
        self.written(
            |at| counts[at].to_string(),
            |property| fits(property, counts).then(|| property.in_instance()),
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
    let mut named = property.named().into_iter().enumerate();
    named.all(|(at, named)| named <= counts.get(at).copied().unwrap_or(0))
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

/// One side of store buffering, which marks that it came first.
fn side() -> impl Strategy<Value = String> {
    (any::<bool>(), between()).prop_map(|(first, between)| {
        let (mine, other, mark) = if first {
            ("x", "y", "a")
        } else {
            ("y", "x", "b")
        };
        format!("{mine} = 1; {between} r = {other}; if (r == 0) {{ {mark} = 1; }}")
    })
}

/// A body in which so many copies take a turn, and do something.
fn turns() -> impl Strategy<Value = String> {
    (1..4, 0..3, statement()).prop_map(|(turns, kind, then)| {
        let turn = format!("atomic {{ r = g; assume(r < {turns}); g = r + 1; }}");
        match kind {
            0 => turn,
            1 => format!("{turn} {then}"),
            _ => format!("choose {{ {turn} }} or {{ {then} }}"),
        }
    })
}

/// A body whose ends and waits depend on how many copies take part: after some turns, none is left.
fn ending() -> impl Strategy<Value = String> {
    (1..4, 0..5, 0..4, 0..2).prop_map(|(turns, first, last, value)| {
        let first = match first {
            0 => "x = 1;",
            1 => "while (y == 1) { }",
            _ => "",
        };
        let turn = match value {
            0 => format!("atomic {{ r = g; if (r < {turns}) {{ g = r + 1; }} }}"),
            _ => format!("atomic {{ r = g; assume(r < {turns}); g = r + 1; }}"),
        };
        let last = match last {
            0 => "",
            1 => "y = 1;",
            2 => "while (g == 1) { }",
            _ => "if (r == 0) { while (g < 2) { } }",
        };
        format!("{first} {turn} {last}")
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

/// What properties are about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// Everything that has a text.
    All,
    /// Not about waiting, and often about both marks of a [`side`].
    Delays,
    /// About ends and waiting, and mostly about the number of turns that were taken.
    Ends,
}

/// The copies that a property names: mostly `w.0` and `w.1`, but sometimes only `w.2`, say.
fn names(classes: usize, most: usize) -> impl Strategy<Value = Vec<(usize, usize)>> {
    let class = prop::collection::vec(0..classes, 0..most);
    let numbers = Just(vec![0, 1, 2]).prop_shuffle();
    (class, numbers, any::<bool>()).prop_map(|(classes, numbers, in_order)| {
        let of_class = |at: usize| classes[..at].iter().filter(|&&c| c == classes[at]).count();
        let number = |at: usize| if in_order { of_class(at) } else { numbers[at] };
        (0..classes.len())
            .map(|at| (classes[at], number(at)))
            .collect()
    })
}

/// Something about one thread.
fn about_thread(name: &str, is_at_end: bool, (kind, value): (u8, u8)) -> String {
    match kind {
        0..=3 if !is_at_end => format!("{name}@here"),
        0..=5 => format!("{name}.r == {value}"),
        6 => format!("{name}.r != {value}"),
        _ => format!("{name}.s == {value}"),
    }
}

/// A property about copies of these threads, and sometimes a thread that exists once.
fn property(classes: usize, singles: usize, about: About) -> impl Strategy<Value = Property> {
    let kinds = match about {
        About::All => 0..12_u8,
        About::Delays => 0..8,
        About::Ends => 4..12,
    };
    let parts = prop::collection::vec((0..8_u8, 0..3_u8), 4);
    let cell = prop::sample::select(vec!["x", "y", "g"]);
    let cell = (cell, any::<bool>(), 0..4_u8).prop_map(|(cell, equal, value)| {
        format!("{cell} {} {value}", if equal { "==" } else { "!=" })
    });
    let marks = Just("a == 1 && b == 1".to_owned());
    let turns = (0..4_u8).prop_map(|turns| format!("g == {turns}"));
    let cell = match about {
        About::Ends => prop_oneof![3 => turns, 1 => cell].boxed(),
        About::All => prop_oneof![8 => cell, 1 => marks].boxed(),
        About::Delays => prop_oneof![1 => cell, 2 => marks].boxed(),
    };
    let cell = prop::option::weighted(if about == About::Ends { 0.9 } else { 0.5 }, cell);
    let few = match about {
        About::All | About::Delays => 4,
        About::Ends => 2,
    };
    (names(classes, few), kinds, parts, cell, 0..5_u8).prop_map(
        move |(names, kind, parts, cell, single)| {
            let is_at_end = (4..8).contains(&kind);
            let mut all: Vec<String> = (0..names.len())
                .map(|at| about_thread(&format!("#{at}"), is_at_end, parts[at]))
                .collect();
            if singles > 0 && single == 0 {
                all.push(about_thread("one0", is_at_end, parts[3]));
            }
            all.extend(cell);
            if all.is_empty() {
                all.push("y == 1".to_owned());
            }
            let is = all.join(" && ");
            let waiting = match names.len() {
                _ if singles > 0 && single == 1 => "one0",
                0 => "",
                _ => "#0",
            };
            let pattern = match kind {
                0..4 => format!("forbid {is};"),
                4 => format!("final assert {};", all.join(" || ")),
                5 => format!("final assert !({is});"),
                6 | 7 => format!("exists {is};"),
                8 => "forbid stuck;".to_owned(),
                9 => format!("forbid stuck && ({is});"),
                10 => format!("forbid stuck {waiting} && ({is});"),
                _ => format!("forbid stuck {waiting};"),
            };
            let is_named = |at: usize| pattern.contains(&format!("#{at}"));
            let kept = (0..names.len()).take_while(|&at| is_named(at)).count();
            Property {
                names: names[..kept].to_vec(),
                about_all: kind >= 4,
                pattern,
            }
        },
    )
}

/// What the bodies of a program are made of.
fn program(
    part: BoxedStrategy<String>,
    count: std::ops::Range<usize>,
    about: About,
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
            let properties = property(number, singles.len(), about);
            let properties = prop::collection::vec(properties, count.clone());
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
    let turns = turns().prop_map(here).boxed();
    let part = prop_oneof![3 => flat, 2 => gated, 1 => turns];
    program(part.boxed(), 1..4, About::All)
}

/// A program with properties about ends and waiting that depend on how many copies there are.
pub fn with_ends() -> impl Strategy<Value = Classes> {
    let here = |body: String| body + " here: skip;";
    program(ending().prop_map(here).boxed(), 1..3, About::Ends)
}

fn between_statements() -> impl Strategy<Value = String> {
    prop::collection::vec(statement(), 1..3).prop_map(|statements| statements.join(" "))
}

/// A program whose threads often delay stores.
pub fn delaying() -> impl Strategy<Value = Classes> {
    let part = prop_oneof![2 => gated(accesses().boxed()).boxed(), 1 => accesses().boxed()];
    program(part.boxed(), 0..1, About::Delays)
}

/// A program whose copies take both sides of store buffering in some order, and a property about both
/// marks. One side may have its fence.
pub fn with_sides() -> impl Strategy<Value = Classes> {
    let between = prop::sample::select(vec!["", "", "fence;", "fence store;"]);
    let sides = (between.clone(), between).prop_map(|(one, other)| {
        [
            format!("x = 1; {one} r = y; if (r == 0) {{ a = 1; }}"),
            format!("y = 1; {other} r = x; if (r == 0) {{ b = 1; }}"),
        ]
    });
    (sides, 0..5).prop_map(|([one, other], kind)| {
        let single = kind == 0;
        let body = match kind {
            0 => one.clone(),
            1 => format!("choose {{ {one} }} or {{ {other} }}"),
            2 => format!(
                "atomic {{ s = g; if (s < 2) {{ g = s + 1; }} }} \
                 if (s == 1) {{ {one} }} else {{ if (s == 0) {{ {other} }} }}"
            ),
            _ => format!("atomic {{ s = g; g = 1; }} if (s == 0) {{ {one} }} else {{ {other} }}"),
        };
        Classes {
            singles: if single { vec![other] } else { Vec::new() },
            bodies: vec![body],
            properties: vec![Property {
                pattern: "forbid a == 1 && b == 1;".to_owned(),
                names: Vec::new(),
                about_all: false,
            }],
        }
    })
}

/// The same, with properties that delayed stores may violate.
pub fn delaying_with_properties() -> impl Strategy<Value = Classes> {
    let here = |body: String| body + " here: skip;";
    let part = prop_oneof![
        2 => gated(accesses().boxed()).boxed(),
        1 => accesses().boxed(),
        2 => gated(side().boxed()).boxed(),
        1 => side().boxed(),
    ];
    program(part.prop_map(here).boxed(), 1..3, About::Delays)
}
