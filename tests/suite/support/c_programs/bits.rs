//! Random programs over structures with bit-fields: where they are, how they convert, what stores to them keep.

use super::{Draft, Mode, Random};
use std::fmt::Write as _;

const ORDINARY: [&str; 5] = ["char", "short", "int", "unsigned char", "unsigned short"];
const DECLARED: [(&str, usize); 9] = [
    ("unsigned", 32),
    ("int", 32),
    ("unsigned char", 8),
    ("signed char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("_Bool", 1),
    ("unsigned long", 20),
    ("long", 20),
];

/// The members of a structure, and the names of those that have one.
fn members(random: &mut Random) -> (String, Vec<String>) {
    let (mut text, mut names) = (String::new(), Vec::new());
    for at in 0..2 + random.below(6) {
        let name = format!("m{at}");
        match random.below(8) {
            0 | 1 => {
                let _ = write!(text, " {} {name};", random.of(&ORDINARY));
                names.push(name);
            }
            2 => {
                let (ty, width) = (random.of(&["int", "char", "short"]), random.below(6));
                let _ = write!(text, " {ty} : {width};");
            }
            _ => {
                let (ty, most) = random.of(&DECLARED);
                let most = if random.rarely(3) { most } else { most.min(9) };
                let width = 1 + random.below(most);
                let _ = write!(text, " {ty} {name} : {width};");
                names.push(name);
            }
        }
    }
    if names.is_empty() {
        return members(random);
    }
    (text, names)
}

/// The program that a seed stands for.
pub fn bits(seed: u64, mode: Mode) -> Draft {
    let mut random = Random(seed ^ 0x6269_7473);
    let (members, names) = members(&mut random);
    let packed = random.of(&["", "", "", "", " __attribute__((packed))"]);
    let mut text = format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
         struct s {{{members} }}{packed};\n"
    );
    let first = initialiser(&mut random, &names);
    let _ = writeln!(text, "struct s g = {first};\nint d;");
    text += "void *thread(void *unused) { d = 1; return 0; }\nint main(void) {\n";
    if mode == Mode::Dynamic {
        text += "    pthread_t id;\n    pthread_create(&id, 0, thread, 0);\n    pthread_join(id, 0);\n    ";
        let _ = writeln!(text, "g.{} += d;", random.of(&names));
    }
    let second = initialiser(&mut random, &names);
    let _ = writeln!(text, "    struct s l = {second};");
    // Bit for bit, memory of its own has no values until they are stored, one after the other.
    text += "    struct s *p = malloc(sizeof *p);\n";
    let mut order = names.clone();
    for at in 0..order.len() {
        let other = random.below(order.len());
        order.swap(at, other);
    }
    for name in &order {
        let _ = writeln!(text, "    p->{name} = {};", value(&mut random));
    }
    let mut seen = vec![("sizeof(struct s)".to_owned(), "long")];
    for at in 0..=random.below(8) {
        let _ = writeln!(text, "    long r{at} = 0;");
        let step = step(&mut random, &names, at);
        let _ = writeln!(text, "    {step}");
        seen.push((format!("r{at}"), "long"));
    }
    for object in ["g.", "l.", "p->"] {
        seen.extend(names.iter().map(|name| (format!("{object}{name}"), "long")));
    }
    Draft { text, seen }
}

fn value(random: &mut Random) -> i64 {
    random.below(601) as i64 - 300
}

fn initialiser(random: &mut Random, names: &[String]) -> String {
    let designated = random.rarely(2);
    let mut all: Vec<usize> = (0..names.len()).collect();
    if designated {
        let (a, b) = (random.below(all.len()), random.below(all.len()));
        all.swap(a, b);
        // Twice: the last one counts.
        all.push(random.below(names.len()));
    } else {
        all.truncate(1 + random.below(all.len()));
    }
    let mut items = Vec::new();
    for at in all {
        let value = value(random);
        items.push(if designated {
            format!(".{} = {value}", names[at])
        } else {
            value.to_string()
        });
    }
    format!("{{ {} }}", items.join(", "))
}

fn step(random: &mut Random, names: &[String], at: usize) -> String {
    let object = |random: &mut Random| random.of(&["g.", "l.", "p->", "p->"]).to_owned();
    let a = object(random) + &random.of(names);
    let b = object(random) + &random.of(names);
    let k = value(random);
    match random.below(16) {
        0 => format!("{a} = {k};"),
        1 => format!("{a} += {k};"),
        2 => format!("r{at} = {a}++;"),
        3 => format!("r{at} = --{a};"),
        4 => format!("r{at} = ({a} = {k});"),
        5 => format!("{a} = {b};"),
        6 => format!("r{at} = {a} - 5 < 0;"),
        7 => format!("r{at} = {b}; {a} ^= r{at};"),
        8 => format!("{a} = ({b} = {k}) + 1;"),
        9 => format!("{a} >>= 1;"),
        10 => format!("r{at} = {a} / -3;"),
        11 => format!("r{at} = ~{a} % 7 + ({b} << 2);"),
        12 => "l = g;".to_owned(),
        13 => "g = *p;".to_owned(),
        14 => format!("*p = l; r{at} = {a} && !{b};"),
        _ => format!("r{at} = ({a} -= {k}, {b} | 1);"),
    }
}
