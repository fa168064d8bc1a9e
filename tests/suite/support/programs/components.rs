//! Components: groups of threads that share no cell, but for one that hardly any statement writes.

use proptest::prelude::*;
use std::fmt::Write as _;

/// Statements over the cells `X` and `Y` of a component. No statement writes `c`, except the last.
const STATEMENTS: [&str; 18] = [
    "X = 1;",
    "Y = 1;",
    "X = 1;",
    "Y = 2;",
    "r = X;",
    "r = Y;",
    "s = X;",
    "s = Y;",
    "fence;",
    "r = xchg(X, 1);",
    "atomic { X = 1; r = Y; }",
    "atomic { s = X; Y = 1; }",
    "while (X == 0) { }",
    "if (r == 1) { Y = 2; }",
    "assert(r != 2);",
    "s = c;",
    "assume(r == s);",
    "c = 1;",
];

/// The bodies of the threads of one component.
pub type Component = Vec<Vec<usize>>;

fn component() -> BoxedStrategy<Component> {
    let last = STATEMENTS.len() - 1;
    let statement = prop_oneof![24 => 0..last, 1 => Just(last)];
    let around = prop::collection::vec(statement.clone(), 0..2).prop_map(|between| {
        let body = |store, load| [vec![store], between.clone(), vec![load]].concat();
        vec![body(0, 5), body(1, 6)]
    });
    let any = prop::collection::vec(prop::collection::vec(statement, 1..4), 1..3);
    prop_oneof![2 => around, 1 => any].boxed()
}

/// Two or three components, some of them alike, or a single one.
pub fn components() -> BoxedStrategy<Vec<Component>> {
    prop_oneof![
        4 => prop::collection::vec(component(), 2),
        2 => component().prop_map(|one| vec![one.clone(), one]),
        1 => prop::collection::vec(component().prop_map(|mut c| { c.truncate(2); c }), 1..3),
    ]
    .boxed()
}

/// The program of these components, numbered from this one.
pub fn text(components: &[Component], first: usize) -> String {
    let mut text = "shared c;\n".to_owned();
    for (number, bodies) in components.iter().enumerate() {
        let k = first + number;
        let _ = writeln!(text, "shared x{k}, y{k};");
        for (index, body) in bodies.iter().enumerate() {
            let body: Vec<String> = body
                .iter()
                .map(|&n| STATEMENTS[n].replace('X', &format!("x{k}")))
                .map(|statement| statement.replace('Y', &format!("y{k}")))
                .collect();
            let body = body.join(" ");
            let _ = writeln!(text, "thread t{k}{index} {{ local r, s; {body} }}");
        }
        let _ = writeln!(text, "final assert t{k}0.r == 1 || y{k} == 0;");
        let _ = writeln!(text, "forbid t{k}0.r == 2 && x{k} == 0;");
    }
    if components.len() > 1 {
        let _ = writeln!(text, "forbid t00.r == 1 && t10.r == 2;");
        let _ = writeln!(text, "final assert x0 == 1 || y1 != 2;");
    }
    text
}
pub fn is_apart(components: &[Component]) -> bool {
    let joins = STATEMENTS.len() - 1;
    let mut statements = components.iter().flatten().flatten();
    !statements.any(|&statement| statement == joins)
}
