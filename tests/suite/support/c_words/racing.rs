//! Two threads that access words and their parts at the same time, as they are compiled: without optimisation, each
//! access to a scalar is one instruction.

use super::generate::{Maker, Mode, types_of_unions};
use super::types::U64;
use super::{Atomic, Dialect, HEADERS, Object, Place, filled, globals};
use crate::support::c_programs::Random;
use std::fmt::Write as _;

/// A program with many results.
#[derive(Clone, Debug)]
pub struct Race {
    objects: Vec<Object>,
    threads: [Vec<String>; 2],
    /// What was loaded, and what is in memory at the end.
    results: Vec<Place>,
}

/// Runs two functions at the same time, again and again, and prints the different results.
const RUNNER: &str = "\
#include <sched.h>
typedef void *Body(void *);
static _Atomic int started, ended;
static Body *other;
static int rounds;
static void await(_Atomic int *n, int least) {
    for (int spins = 0; *n < least; spins++) if (spins > 2000) { sched_yield(); spins = 0; }
}
static void *helper(void *unused) {
    for (int k = 1; k <= rounds; k++) { await(&started, k); other(0); ended = k; }
    return 0;
}
static void run(int number, Body *a, Body *b, void (*reset)(void), int count, void (*results)(uint64_t *)) {
    static uint64_t seen[64][16], now[16];
    int kinds = 0;
    pthread_t t; started = 0; ended = 0; other = b;
    pthread_create(&t, 0, helper, 0);
    for (int k = 1; k <= rounds; k++) {
        reset(); started = k;
        for (volatile int wait = k % 97; wait > 0; wait--) {}
        a(0); await(&ended, k); results(now);
        int at = 0;
        for (; at < kinds; at++) { int i = 0; while (i < count && seen[at][i] == now[i]) i++; if (i == count) break; }
        if (at < kinds || kinds == 64) continue;
        printf(\"%d\", number);
        for (int i = 0; i < count; i++) { seen[kinds][i] = now[i]; printf(\" %lu\", now[i]); }
        printf(\"\\n\"); kinds++;
    }
    pthread_join(t, 0);
}
";

/// The program that a seed stands for.
pub fn race(seed: u64) -> Race {
    let mut random = Random(seed);
    let (unions, casts) = (!random.rarely(4), random.rarely(2));
    let mut maker = Maker {
        random,
        mode: Mode::Racing,
        unions,
        casts,
        atomics: false,
        objects: Vec::new(),
        functions: Vec::new(),
        thread: 0,
    };
    let shared = 1 + maker.random.below(2);
    for _ in 0..shared {
        maker.object(None);
    }
    let mut results = Vec::new();
    let threads = [0, 1].map(|thread| {
        let mut stmts = Vec::new();
        for _ in 0..2 + maker.random.below(2) {
            stmts.push(access(&mut maker, shared, thread, &mut results));
        }
        stmts
    });
    for object in &maker.objects[..shared] {
        results.extend(object.initial.clone());
    }
    Race {
        objects: maker.objects,
        threads,
        results,
    }
}

/// A statement that accesses one of the first objects once.
fn access(maker: &mut Maker, shared: usize, thread: usize, results: &mut Vec<Place>) -> String {
    let object = maker.random.below(shared);
    let place = maker.random.of(&maker.objects[object].places);
    let value = maker.number(place.ty);
    let value = place.ty.constant(value);
    match maker.random.below(9) {
        0..=3 => format!("{} = {value};", place.text),
        4..=6 => {
            let into = result(maker, thread, results);
            format!("{} = {};", into.text, place.text)
        }
        7 => "atomic_thread_fence(memory_order_seq_cst);".to_owned(),
        _ => {
            let op = maker.random.of(&["add", "exchange", "or", "store"]);
            let atomic = Atomic {
                op,
                dialect: Dialect::Gnu,
                order: "seq_cst",
            };
            let call = atomic.call(&place, &value);
            if op == "store" {
                return format!("{call};");
            }
            let into = result(maker, thread, results);
            format!("{} = {call};", into.text)
        }
    }
}

/// An object for what is loaded.
fn result(maker: &mut Maker, thread: usize, results: &mut Vec<Place>) -> Place {
    let number = maker.objects.len();
    let name = format!("out{number}@");
    let place = Place {
        object: number,
        offset: 0,
        ty: U64,
        text: name.clone(),
        atomic: false,
    };
    maker.objects.push(Object {
        name,
        declaration: "uint64_t #".to_owned(),
        places: vec![place.clone()],
        bytes: vec![0; 8],
        initial: vec![place.clone()],
        owner: Some(thread),
        local: false,
        copied: None,
    });
    results.push(place.clone());
    place
}

impl Race {
    fn bodies(&self) -> String {
        let mut text = globals(&self.objects);
        for (thread, stmts) in self.threads.iter().enumerate() {
            let body = stmts.join("\n");
            let _ = writeln!(
                text,
                "static void *run{thread}@(void *unused) {{\n{body}\nreturn 0;\n}}"
            );
        }
        text
    }

    /// The program with the claim that it does not have these results.
    pub fn excluding(&self, values: &[u64]) -> String {
        let each = self.results.iter().zip(values);
        let each: Vec<String> = each
            .map(|(place, value)| {
                let value = place.ty.constant(place.ty.wrap((*value).into()));
                format!("{} == {value}", place.text)
            })
            .collect();
        let text = format!(
            "{HEADERS}{}{}int main(void) {{\n{}pthread_t t, u;\npthread_create(&t, 0, run0@, 0);\n\
             pthread_create(&u, 0, run1@, 0);\npthread_join(t, 0);\npthread_join(u, 0);\n\
             assert(!({}));\nreturn 0;\n}}\n",
            types_of_unions(),
            self.bodies(),
            filled(&self.objects),
            each.join(" && ")
        );
        text.replace('@', "")
    }

    /// All of these in one program, which prints the number and the results of each, of so many runs.
    pub fn printing(all: &[Race], rounds: usize) -> String {
        let mut text = format!("{HEADERS}{}{RUNNER}", types_of_unions());
        let mut calls = String::new();
        for (number, one) in all.iter().enumerate() {
            let mut own = one.bodies();
            let filled = filled(&one.objects);
            let _ = writeln!(own, "static void reset@(void) {{\n{filled}}}");
            let _ = writeln!(own, "static void results@(uint64_t *into) {{");
            for (at, place) in one.results.iter().enumerate() {
                let _ = writeln!(own, "into[{at}] = {};", place.text);
            }
            text += &(own + "}\n").replace('@', &format!("_{number}"));
            let count = one.results.len();
            let _ = writeln!(
                calls,
                "run({number}, run0_{number}, run1_{number}, reset_{number}, {count}, results_{number});"
            );
        }
        text + &format!("int main(void) {{\nrounds = {rounds};\n{calls}return 0;\n}}\n")
    }
}
