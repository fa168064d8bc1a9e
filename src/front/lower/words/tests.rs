//! What becomes of numbers of 64 bits and of unions, from texts in C.

use crate::c::C;
use crate::model::Model;
use crate::program::{Goal, Program, Thread};
use crate::search::check_all;
use crate::text::{FrontEnd, ParseOptions};
use crate::verdict::{Budget, Verdict};

/// A program with these objects, of which a thread executes these statements.
fn program(objects: &str, body: &str) -> Program {
    let text = format!(
        "#include <assert.h>
         #include <pthread.h>
         #include <stdint.h>
         {objects}
         static void *run(void *unused) {{ {body} return 0; }}
         int main(void) {{
             pthread_t t;
             pthread_create(&t, 0, run, 0);
             pthread_join(t, 0);
             return 0;
         }}"
    );
    let parsed = C.parse(&text, &ParseOptions::new());
    let diagnostics = parsed.diagnostics;
    let program = parsed.program;
    program.unwrap_or_else(|| panic!("{text}: {diagnostics:?}"))
}

/// The number of accesses that consist of several cells.
fn words(program: &Program) -> usize {
    let threads = program.threads().iter();
    let ops = threads.flat_map(Thread::instructions);
    ops.filter(|instruction| instruction.op.begins_word())
        .count()
}

fn is_violated(program: &Program) -> bool {
    let goals = program.goals();
    let answers = check_all(program, Model::Sc, &goals, &Budget::default());
    let mut verdicts = answers.verdicts.into_iter().map(|(_, verdict)| verdict);
    verdicts.any(|verdict| matches!(verdict, Verdict::Violated(_)))
}

/// The names of all cells before those of threads.
fn cells(program: &Program) -> Vec<String> {
    let names = program.cells().map(|cell| program.cell_name(cell));
    names.filter(|name| name != "run.done").collect()
}

#[test]
fn numbers_that_fit_into_one_cell_have_one() {
    let narrow = program(
        "static volatile uint64_t x, mask;",
        "x = x + 1; x = x & 0xffffffffff; x = x << 8; x = UINT64_MAX;",
    );
    assert_eq!(words(&narrow), 0);
    assert_eq!(cells(&narrow), ["x"]);
}

#[test]
fn a_number_beyond_32_bits_has_two_cells_and_each_access_is_one() {
    let wide = program(
        "static volatile uint64_t x, y, z;",
        "x = 1UL << 40; y = x; z = 1;",
    );
    // Stores of x and y, a load of x; z stays as it is.
    assert_eq!(words(&wide), 3);
    assert_eq!(cells(&wide), ["x.lo", "x.hi", "y.lo", "y.hi", "z"]);
}

#[test]
fn what_is_computed_in_halves_is_exact() {
    let objects = "static volatile uint64_t a = 0xfedcba9876543210, b = 0x123456789abcdef, c;
         static volatile int64_t d = -0x123456789abcdef; static volatile unsigned n = 36;";
    for (condition, holds) in [
        ("a + b == 0xffffffffffffffff", true),
        ("a - b == 0xfdb97530eca86421", true),
        ("a * b == 0x2236d88fe5618cf0", true),
        ("a >> 36 == 0xfedcba9", true),
        ("a >> n == 0xfedcba9", true),
        ("b << 28 == 0x89abcdef0000000", false),
        ("b << n == 0x9abcdef000000000", true),
        ("d >> 36 == -0x123457", true),
        ("d < 0 && -d == b", true),
        ("(uint32_t)(a >> 16) == 0xba987654", true),
        ("(a ^ b) == 0xffffffffffffffff", true),
        ("a > b && !(b > a) && a != b", true),
        (
            "(c = a, c == a && (c += b) == UINT64_MAX && c++ == UINT64_MAX && c == 0)",
            true,
        ),
        ("(n > 3 ? a : b) == a", true),
        (
            "__builtin_popcountll(a) == 32 && __builtin_ctzll(a) == 4",
            true,
        ),
    ] {
        let asserted = program(objects, &format!("assert({condition});"));
        assert_eq!(is_violated(&asserted), !holds, "{condition}");
    }
}

#[test]
fn a_number_beyond_32_bits_is_no_index() {
    let outside = program(
        "static volatile uint64_t x = 1UL << 40; static int all[4];",
        "all[x & 3] = 1; all[x >> 40] = 1; all[x] = 1;",
    );
    let limits: Vec<Goal> = outside.limits().iter().copied().map(Goal::Assert).collect();
    let answers = check_all(&outside, Model::Sc, &limits, &Budget::default());
    let mut verdicts = answers.verdicts.iter();
    assert!(verdicts.any(|(_, verdict)| matches!(verdict, Verdict::Violated(_))));
}

#[test]
fn a_union_has_the_parts_of_all_members() {
    let lock = "static union { uint32_t all; struct { uint8_t locked, pending; };
         struct { uint16_t both, tail; }; } lock;";
    let parts = program(
        lock,
        "lock.locked = 1; lock.pending = 2; lock.tail = 3; assert(lock.all == 0x30201);
         lock.all = 0x70605; assert(lock.both == 0x605 && lock.tail == 7 && lock.locked == 5);",
    );
    assert_eq!(cells(&parts), ["lock.locked", "lock.pending", "lock.tail"]);
    assert!(!is_violated(&parts));
}

#[test]
fn members_that_are_not_used_cut_nothing() {
    let whole = program(
        "static union { uint32_t all; uint8_t byte[4]; } lock;",
        "lock.all = 0x01020304; assert(lock.all == 0x01020304);",
    );
    assert_eq!(cells(&whole), ["lock.all"]);
    assert_eq!(words(&whole), 0);
}
