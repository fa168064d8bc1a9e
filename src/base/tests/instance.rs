//! Instances of programs with threads in any number of copies.

use fencepost_base::program::Thread;
use fencepost_base::program::{Expr, InstanceSize, Program, counts_with_sum};
use fencepost_front::formats::parse;

fn program() -> Program {
    let text = "shared x;
        thread a { x = 1; }
        thread w[*] { local r; r = x; assert(r == 0); here: skip; }
        thread v[*] { x = 2; }
        forbid w.0@here && w.1@here;";
    parse(text).into_program().expect("it parses")
}

fn size(counts: &[usize]) -> InstanceSize {
    InstanceSize {
        counts: counts.to_vec(),
        needed: Vec::new(),
    }
}

fn names(program: &Program) -> Vec<&str> {
    program.threads().iter().map(Thread::name).collect()
}

#[test]
fn a_larger_instance_only_adds_threads() {
    let program = program();
    assert_eq!(names(&program), ["a", "w.0", "w", "v"]);
    let two = program.instance(&size(&[2, 2]));
    assert_eq!(names(&two), ["a", "w.0", "w.1", "v.0", "v.1"]);
    let three = program.instance(&size(&[3, 3]));
    assert_eq!(
        names(&three),
        ["a", "w.0", "w.1", "v.0", "v.1", "w.2", "v.2"]
    );
    assert!(!three.is_parametric());
    assert_eq!(
        three.goals().len(),
        4,
        "an assertion per copy, and the property"
    );
}

#[test]
fn an_instance_may_have_fewer_copies_than_have_names() {
    let program = program();
    let [w, v] = ["w", "v"].map(|name| program.find_thread(name).expect("it is declared"));
    let first = program.find_thread("w.0").expect("it is named");
    let one = program.instance(&size(&[1, 2]));
    assert_eq!(names(&one), ["a", "w.0", "w.1", "v.0", "v.1"]);
    assert_eq!(program.members_in(&one, w), [first]);
    assert_eq!(one.thread(w).instructions().len(), 0);
    assert_eq!(one.properties()[0].predicate, Expr::Const(0));
    let other = program.instance(&InstanceSize {
        counts: vec![1, 2],
        needed: vec![w],
    });
    assert_eq!(program.members_in(&other, w), [w]);
    assert_eq!(program.members_in(&other, v).len(), 2);
    assert_eq!(other.goals().len(), 2, "one assertion, and the property");
    // What the one does, another one does in a larger instance.
    let three = program.instance(&size(&[3, 2]));
    let to = program.embedding((&other, &size(&[1, 2])), &three);
    assert_eq!(to[w.index()], first);
    let needed = InstanceSize {
        counts: vec![1, 2],
        needed: vec![w],
    };
    assert_eq!(program.embedding((&other, &needed), &three)[w.index()], w);
}

#[test]
fn numbers_with_a_sum_are_all_listed() {
    assert_eq!(counts_with_sum(&[1], 3), [[3]]);
    assert_eq!(counts_with_sum(&[2], 1), [[0_usize; 1]; 0]);
    assert_eq!(counts_with_sum(&[1, 1], 4), [[1, 3], [2, 2], [3, 1]]);
    assert_eq!(counts_with_sum(&[1, 2], 4), [[1, 3], [2, 2]]);
    assert_eq!(counts_with_sum(&[1, 1, 1], 5).len(), 6);
}

#[test]
fn copies_are_one_class() {
    let program = program();
    let w = program.find_thread("w").expect("it is declared");
    let first = program.find_thread("w.0").expect("it is named");
    assert_eq!(program.class_of(first), Some(w));
    assert_eq!(program.class_members(w), [first, w]);
    let a = program.find_thread("a").expect("it is declared");
    assert_eq!(program.class_of(a), None);
}

#[test]
fn equal_code_alone_does_not_make_a_copy() {
    let text = "shared x;
        thread w[*] { x = 1; }
        thread s { x = 1; }
        thread v[*] { x = 1; }";
    let program = parse(text).into_program().expect("it parses");
    let [w, s, v] = ["w", "s", "v"].map(|name| program.find_thread(name).expect("declared"));
    assert_eq!(program.class_of(s), None);
    assert_eq!(program.class_of(v), Some(v));
    assert_eq!(program.class_members(w), [w]);
    let two = program.instance(&size(&[2, 2]));
    assert_eq!(names(&two), ["w.0", "s", "v.0", "w.1", "v.1"]);
    assert_eq!(program.members_in(&two, w).len(), 2);
}
