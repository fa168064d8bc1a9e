//! Litmus tests: what they mean, instruction by instruction, and that no text breaks the parser.

use super::super::*;
use super::mutate::{Change, Material, read};
use crate::program::print;
use proptest::prelude::*;

const SEEDS: [&str; 4] = [
    "X86 SB+all\n(*: observed tso yes *)\n\"PodWR Fre\"\nCycle=Fre PodWR\n{ x=1; 0:EAX=2; P1:EBX=-3; }\n \
     P0 | P1 ;\n MOV [x],$1 | LC00: MOV ECX,[y] ;\n XCHG [x],EAX | CMP ECX,$0 ;\n LOCK XADD [y],EBX | JNE LC00 ;\n \
     MFENCE | LOCK CMPXCHG [x],ECX ;\n INC [y] | XOR EDX,EDX ;\n\
     locations [x; 0:EAX;] filter (x=1 \\/ ~(y=2))\nexists (0:EAX=0 /\\ not (1:EBX=0 \\/ [x]=1))\n",
    "X86_64 P\n{ uint64_t x=5; uint64_t* p=x; 0:rdi=x; int a[2]={1,2}; }\n P0 | P1 ;\n movq (p),%rax | movq $1,(%rdx) ;\n \
     movq (%rax),%rbx | lea x(%rip),%rdx ;\n movq $2,(%rdi) | ret ;\n~exists (0:rax=x /\\ a[1]=2)\n<< trailer >>\n",
    "C c\n{ int x=1; atomic_int y=ATOMIC_INIT(0); int *p=x; }\nP0 (int* x, atomic_int* y, int** p) {\n  // a comment\n  int r0 = READ_ONCE(*x);\n\
     if (r0 == 1 && atomic_load(y) != 2) { smp_store_release(x, r0 + 1); } else { *x += 2; }\n\
     do { r0 = xchg(x, 0); if (r0) break; } while (!r0);\n int* r1 = *p; int r2 = *r1; /* more */ }\n\
     P1 (int* x, atomic_int* y) { int e = 0; while (!atomic_compare_exchange_strong(y, &e, 1)) { e = 0; }\n\
     atomic_fetch_xor_explicit(y, 3, memory_order_relaxed); atomic_thread_fence(memory_order_seq_cst); smp_wmb(); }\nforall (0:r0=1 \\/ y=1 /\\ p=x)\n",
    "X86 flags { } P0 ; L: SUB EAX,EBX ; JL L ; DEC ECX ; JS M ; NEG EAX ; JAE M ; M: TEST EAX,EAX ; JE L ; exists (0:EAX=1)",
];

const SNIPPETS: [&str; 30] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    "|",
    ":",
    "*",
    "&",
    "$",
    "%",
    "(*",
    "*)",
    "0",
    "x",
    "EAX",
    "exists",
    "/\\",
    "~",
    "LOCK ",
    "99999999999999999999",
    "0x",
    "é",
    "\u{0}",
    "while (1) {",
    "JMP LC00 ;",
    "\"",
    "P0",
];

fn program(text: &str) -> Program {
    let parsed = parse_as(Format::Litmus, text);
    let shown = render(&parsed.diagnostics, "test.litmus", text, false);
    parsed.program.expect(&shown)
}

/// The instructions of the only thread, as the printer writes them.
fn drawn(instructions: &str) -> String {
    let printed = print(&program(&format!(
        "X86 t {{ }} P0 ; {instructions} ; exists (x=1)"
    )));
    let start = printed.find("begin\n").expect("there is a thread") + 6;
    let end = printed.find("end\n").expect("which ends");
    let lines = printed[start..end]
        .lines()
        .map(|line| line.trim().split_once(": "));
    let steps: Vec<&str> = lines.filter_map(|line| line?.1.split(';').next()).collect();
    steps.join("; ")
}

#[test]
fn each_instruction_becomes_its_steps() {
    for (text, steps) in [
        ("MOV [x],$1", "mem[x] <- 1"),
        ("mov eax,[x]", "EAX <- mem[x]"),
        ("MOV EAX,EBX", "EAX <- EBX"),
        ("XCHG EAX,[x]", "EAX <- xchg(mem[x], EAX)"),
        ("XCHG [x],EAX", "EAX <- xchg(mem[x], EAX)"),
        ("INC [x]", "$memory <- mem[x]; mem[x] <- $memory + 1"),
        ("LOCK INC [x]", "$memory <- fetch_add(mem[x], 1)"),
        (
            "LOCK XADD [x],EAX",
            "$memory <- fetch_add(mem[x], EAX); EAX <- $memory",
        ),
        (
            "LOCK XOR [x],$3",
            "lock; $memory <- mem[x]; mem[x] <- $memory ^ 3; unlock",
        ),
        (
            "LOCK CMPXCHG [x],EBX",
            "$memory <- cas(mem[x], EAX, EBX); EAX <- $memory",
        ),
        ("ADD EAX,[x]", "$memory <- mem[x]; EAX <- EAX + $memory"),
        ("XOR EAX,EAX", "EAX <- 0"),
        ("CMP [x],$1", "$memory <- mem[x]"),
        ("MFENCE", "mfence"),
        ("SFENCE", "sfence"),
        ("LFENCE", "noop"),
    ] {
        assert_eq!(drawn(text), steps, "{text}");
    }
    assert!(
        drawn("CMP EAX,$1 ; JE L ; L:")
            .starts_with("$left <- EAX; $right <- 1; assume $left == $right")
    );
}

#[test]
fn jumps_compare_signed_and_unsigned_numbers() {
    for (jump, left, right, taken) in [
        ("JB", -1, 1, false),
        ("JA", -1, 1, true),
        ("JL", -1, 1, true),
        ("JBE", 1, 1, true),
        ("JNS", 1, 2, false),
    ] {
        let text = format!(
            "X86 t {{ 0:EAX={left}; }} P0 ; CMP EAX,${right} ; {jump} L ; MOV [x],$1 ; L: ; forall (x={})",
            i32::from(!taken)
        );
        let program = program(&text);
        let budget = crate::verdict::Budget::default();
        let finals = crate::reference::explore(&program, crate::model::Model::Tso, &budget).finals;
        assert_eq!(finals.len(), 1);
        let memory = finals.first().map(|halt| halt.memory.clone());
        assert_eq!(memory, Some(vec![i32::from(!taken)]), "{jump}");
    }
}

#[test]
fn the_language_is_determined_by_the_first_word() {
    let guess = |name: &str, text: &str| Format::guess(name, text);
    assert_eq!(guess("-", "(* x *) X86_64 t"), Format::Litmus);
    assert_eq!(guess("a.litmus", "C t\n{}"), Format::LitmusC);
    assert_eq!(guess("a.litmus", "nonsense"), Format::Litmus);
    assert_eq!(guess("a.fence", "X86 t"), Format::Fence);
    assert_eq!(guess("-", "shared x;"), Format::Fence);
}

const MATERIAL: Material = Material {
    seeds: &SEEDS,
    snippets: &SNIPPETS,
};

fn check(text: &str) {
    let parsed = read(text, |text| parse_as(Format::Litmus, text));
    assert_eq!(parsed.program.is_some(), parsed.litmus.is_some());
}

#[test]
fn the_seeds_are_tests_without_errors() {
    for seed in SEEDS {
        let _ = program(seed);
        check(seed);
    }
}

#[test]
fn no_mutation_of_a_test_breaks_the_parser() {
    MATERIAL.many(4_000, check);
}

#[test]
fn long_and_deep_texts_are_parsed_or_rejected_in_time() {
    for piece in [
        "(",
        "{",
        "(*",
        "|",
        ";",
        "x=1;",
        "MOV [x],$1 ;",
        "~",
        "((((",
        "if (x) {",
        "*",
        "-",
        "P0 (int* x) {",
        "é",
        "\"",
    ] {
        let long = piece.repeat((1 << 17) / piece.len());
        for text in [
            format!("X86 t {{ }} P0 ; {long} exists (x=1)"),
            format!("X86 t {{ {long} }} P0 ; MOV [x],$1 ; exists (x=1)"),
            format!("X86 t {{ }} P0 ; MOV [x],$1 ; exists ({long} x=1)"),
            format!("C t {{ }} P0 (int* x) {{ {long} }} exists (x=1)"),
            format!("C t {{ }} P0 (int* x) {{ *x = {long} 1; }} exists (x=1)"),
        ] {
            let _ = parse_as(Format::Litmus, &text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_breaks_the_parser_of_tests(
        seed in 0..SEEDS.len(),
        changes in prop::collection::vec(any::<Change>(), 1..6),
        noise in prop::option::weighted(0.1, ".{0,200}"),
    ) {
        match noise {
            Some(noise) => {
                check(&noise);
                check(&format!("C {noise}"));
            }
            None => check(&MATERIAL.mutated(seed, &changes)),
        }
    }
}

#[test]
fn a_variable_whose_block_has_ended_is_not_suggested() {
    let text = "C t { } P0 (int* x) { if (*x) { int r0 = 1; } *x = r0; } exists (x=1)";
    let parsed = parse_as(Format::Litmus, text);
    let [only] = &parsed.diagnostics[..] else {
        panic!("{:?}", parsed.diagnostics);
    };
    assert_eq!(only.message, "unknown name `r0`");
    assert_eq!(only.label, "the block that declares it has ended");
}

/// The condition on the final states of a program with two cells, as it is printed.
fn test_with(condition: &str) -> LitmusTest {
    let text = format!("X86 t {{ x=1; y=2; }} P0 ; NOP ; {condition}");
    let parsed = parse_as(Format::Litmus, &text);
    let shown = render(&parsed.diagnostics, "test.litmus", &text, false);
    parsed.litmus.expect(&shown)
}

#[test]
fn an_implication_binds_most_loosely_and_to_the_right() {
    for (condition, printed, with_one_and_two) in [
        ("x=0 => y=0 => x=7", "[x]=0 => [y]=0 => [x]=7", true),
        ("(x=0 => y=0) => x=7", "([x]=0 => [y]=0) => [x]=7", false),
        (
            "x=1 /\\ y=2 => x=0 \\/ y=0",
            "[x]=1 /\\ [y]=2 => [x]=0 \\/ [y]=0",
            false,
        ),
        ("(x=0 => x=7) \\/ y=0", "([x]=0 => [x]=7) \\/ [y]=0", true),
        (
            "(x=1 => y=2) /\\ ~(x=1 => y=1)",
            "([x]=1 => [y]=2) /\\ ~([x]=1 => [y]=1)",
            true,
        ),
    ] {
        let test = test_with(&format!("forall ({condition})"));
        assert_eq!(test.condition, format!("forall ({printed})"));
        let value = test.proposition.eval(|observable| {
            let first = test.shown.iter().find(|shown| shown.name == "[x]");
            let is_x = first.is_some_and(|shown| shown.observable == observable);
            if is_x { 1 } else { 2 }
        });
        assert_eq!(value != 0, with_one_and_two, "{condition}");
        let again = test_with(&test.condition);
        assert_eq!(again.proposition, test.proposition, "{condition}");
    }
}

#[test]
fn a_type_may_follow_a_location() {
    let test = test_with("locations [x int; 0:EAX int*; y; 0:EBX unsigned long] exists (x=1)");
    let names: Vec<&str> = test.shown.iter().map(|shown| &shown.name[..]).collect();
    assert_eq!(names, ["0:EAX", "0:EBX", "[x]", "[y]"]);
}

#[test]
fn keys_of_header_lines_may_have_signs_inside() {
    let text =
        "X86 t\nMax-Threads=3\nsafe_set=Rfe\nGen.Version=1.2\n{ }\n P0 ;\n NOP ;\nexists (x=0)";
    let parsed = parse_as(Format::Litmus, text);
    assert!(parsed.program.is_some(), "{:?}", parsed.diagnostics);
    let parsed = parse_as(Format::Litmus, &text.replace('-', " "));
    assert!(parsed.program.is_none());
}

#[test]
fn a_file_with_a_misleading_name_gets_a_hint() {
    for (name, text, other, own) in [
        ("a.txt", "X86 t\n{ }\n", "litmus", "trencher"),
        ("a.fence", "\n C t\n{ }\n", "litmus-c", "fence"),
        (
            "a.litmus",
            "thread t\ninitial a\nend\n",
            "trencher",
            "litmus",
        ),
    ] {
        let (_, _, parsed) = parse_bytes(text.as_bytes(), name, None);
        let [only] = &parsed.diagnostics[..] else {
            panic!("{:?}", parsed.diagnostics);
        };
        let message = format!("this file begins like `{other}` but is parsed as `{own}`");
        assert_eq!(only.message, message);
        assert_eq!(
            only.label,
            format!("use `--format {other}` to parse it as `{other}`")
        );
        let given = own.parse().expect("a format");
        let (_, _, parsed) = parse_bytes(text.as_bytes(), name, Some(given));
        assert_ne!(parsed.diagnostics[0].message, message);
    }
}

#[test]
fn a_misspelt_architecture_gets_a_hint() {
    for (word, near) in [
        ("x86", "did you mean `X86`?"),
        ("x86_64", "did you mean `X86_64`?"),
        ("AArch64", "expected X86, X86_64 or C"),
    ] {
        let text = format!("{word} t\n{{ }}\n P0 ;\n NOP ;\nexists (x=0)");
        let parsed = parse_as(Format::Litmus, &text);
        assert_eq!(parsed.diagnostics[0].label, near, "{word}");
    }
}

#[test]
fn a_condition_prints_values_as_states_do() {
    let test = test_with("exists (0:EDX=4294967295 /\\ x=0x10 /\\ y=-1)");
    assert_eq!(test.condition, "exists (0:EDX=-1 /\\ [x]=16 /\\ [y]=-1)");
}
