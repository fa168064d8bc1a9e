//! Inline assembly against the same operations as built-in functions: each call has the same result, here
//! and in the compiled program, and programs with threads have the same verdicts.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot run a program has failed"
)]

use crate::support::config::config;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::{Format, ParseOptions, parse_with};
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::verdict::Budget;
use fencepost::program::Program;
use proptest::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

/// A function of `T *p, T a` with a result of type `T`: as assembly, and as C. `$S` is the letter of the
/// width, `T` the type, `U` the unsigned one.
struct Wrapper {
    assembly: &'static str,
    c: &'static str,
    /// Whether it exists for bytes.
    of_bytes: bool,
}

const fn wrapper(assembly: &'static str, c: &'static str) -> Wrapper {
    Wrapper {
        assembly,
        c,
        of_bytes: true,
    }
}

const fn of_words(assembly: &'static str, c: &'static str) -> Wrapper {
    Wrapper {
        assembly,
        c,
        of_bytes: false,
    }
}

const WRAPPERS: &[Wrapper] = &[
    wrapper(
        r#"asm volatile("xchg$S %0,%1" : "=q"(a), "+m"(*p) : "0"(a) : "memory"); return a;"#,
        "return __atomic_exchange_n(p, a, 5);",
    ),
    wrapper(
        r#"T r; asm volatile("lock; xchg %[new],%[at]" : [new] "=&q"(r), [at] "+m"(*p) : "[new]"(a)); return r;"#,
        "return __atomic_exchange_n(p, a, 5);",
    ),
    wrapper(
        r#"asm volatile("lock; xadd$S %0,%1" : "+q"(a), "+m"(*p) : : "memory", "cc"); return a;"#,
        "return __atomic_fetch_add(p, a, 5);",
    ),
    wrapper(
        r#"asm volatile("lock\n\tadd$S %1,%0" : "=m"(*p) : "qi"(a), "m"(*p) : "memory"); return a;"#,
        "__atomic_fetch_add(p, a, 5); return a;",
    ),
    wrapper(
        r#"unsigned char s; asm volatile("LOCK sub$S %2,%0; sets %1" : "+m"(*p), "=q"(s) : "q"(a)); return s;"#,
        "return __atomic_sub_fetch(p, a, 5) < 0;",
    ),
    wrapper(
        r#"unsigned char s; asm volatile("lock; add$S %2,%0; setc %1" : "+m"(*p), "=q"(s) : "q"(a)); return s;"#,
        "T o = __atomic_fetch_add(p, a, 5); return (U)((U)o + (U)a) < (U)a;",
    ),
    wrapper(
        r#"unsigned char s; asm volatile("lock; sub$S %2,%0; setae %1" : "+m"(*p), "=q"(s) : "q"(a)); return s;"#,
        "T o = __atomic_fetch_sub(p, a, 5); return (U)o >= (U)a;",
    ),
    wrapper(
        r#"asm volatile("lock; and$S %1,%0" : "+m"(*p) : "q"(a) : "memory"); return 0;"#,
        "__atomic_fetch_and(p, a, 5); return 0;",
    ),
    wrapper(
        r#"_Bool z; asm volatile("lock; or$S %2,%0" : "+m"(*p), "=@ccz"(z) : "q"(a) : "memory"); return z;"#,
        "return __atomic_or_fetch(p, a, 5) == 0;",
    ),
    wrapper(
        r#"asm volatile("lock; xor$S $5,%0" : "+m"(*p) : : "memory"); return a;"#,
        "__atomic_fetch_xor(p, 5, 5); return a;",
    ),
    wrapper(
        r#"asm volatile("lock; not$S (%0)" : : "r"(p) : "memory"); return a;"#,
        "__atomic_fetch_xor(p, -1, 5); return a;",
    ),
    wrapper(
        r#"unsigned char c; asm volatile("lock; dec$S %0; sete %1" : "+m"(*p), "=q"(c) : : "memory"); return c;"#,
        "return __atomic_sub_fetch(p, 1, 5) == 0;",
    ),
    wrapper(
        r#"int z; asm volatile("lock; inc$S %0" : "+m"(*p), "=@ccnz"(z)); return z;"#,
        "return __atomic_add_fetch(p, 1, 5) != 0;",
    ),
    wrapper(
        r#"T r; asm volatile("lock; cmpxchg$S %1,%2" : "=a"(r) : "q"((T)(a + 1)), "m"(*p), "0"(a) : "memory"); return r;"#,
        "T e = a; __atomic_compare_exchange_n(p, &e, (T)(a + 1), 0, 5, 5); return e;",
    ),
    wrapper(
        r#"unsigned char z; asm volatile("lock; cmpxchg$S %[n],%[at]; sete %[z]" : [z] "=a"(z), [at] "+m"(*p) : [n] "q"((T)3), "a"(a)); return z;"#,
        "T e = a; return __atomic_compare_exchange_n(p, &e, 3, 0, 5, 5);",
    ),
    wrapper(
        r#"T e = a; int z; asm volatile("lock cmpxchg$S %3,%1" : "=@cce"(z), "+m"(*p), "+a"(e) : "q"((T)2) : "memory"); return e + z;"#,
        "T e = a; int z = __atomic_compare_exchange_n(p, &e, 2, 0, 5, 5); return e + z;",
    ),
    wrapper(
        r#"T r; asm volatile("mov$S %1,%0" : "=q"(r) : "m"(*p)); return r;"#,
        "return *(volatile T *)p;",
    ),
    wrapper(
        r#"asm volatile("mov$S %1,%0" : "=m"(*p) : "q"(a)); return 0;"#,
        "*(volatile T *)p = a; return 0;",
    ),
    wrapper(
        r#"asm volatile("mov$S %1,(%0)\n\tmfence" : : "r"(p), "q"(a) : "memory"); return 0;"#,
        "*(volatile T *)p = a; __sync_synchronize(); return 0;",
    ),
    wrapper(
        r#"asm volatile("mov$S $2,%0; lock; orl $0,(%%rsp)" : "=m"(*p) : : "memory"); return 0;"#,
        "*(volatile T *)p = 2; __sync_synchronize(); return 0;",
    ),
    wrapper(
        r#"asm volatile("add$S %1,%0" : "+m"(*p) : "q"(a)); return 0;"#,
        "T o = *(volatile T *)p; *(volatile T *)p = o + a; return 0;",
    ),
    wrapper(
        r#"int z; asm volatile("neg$S %0" : "+m"(*p), "=@ccc"(z)); return z;"#,
        "T o = *(volatile T *)p; *(volatile T *)p = -o; return o != 0;",
    ),
    wrapper(
        r#"asm volatile("xadd$S %0,%1" : "+q"(a), "+m"(*p)); return a;"#,
        "T o = *(volatile T *)p; *(volatile T *)p = o + a; return o;",
    ),
    wrapper(
        r#"T r = a; asm volatile("cmpxchg$S %2,%1" : "+a"(r), "+m"(*p) : "q"((T)3)); return r;"#,
        "T o = *(volatile T *)p; *(volatile T *)p = o == a ? 3 : o; return o;",
    ),
    wrapper(
        r#"unsigned char z; asm volatile("cmp$S %2,%1; setb %0" : "=q"(z) : "m"(*p), "q"(a)); return z;"#,
        "return (U)*(volatile T *)p < (U)a;",
    ),
    wrapper(
        r#"unsigned char z; asm volatile("test$S %2,%1; setnz %0" : "=q"(z) : "m"(*p), "q"(a)); return z;"#,
        "return (*(volatile T *)p & a) != 0;",
    ),
    wrapper(
        r#"T r = 1; asm volatile("xchg %0,%1; not %0; inc %1; sub %1,%0" : "+q"(r), "+q"(a)); return r;"#,
        "(void)p; return ~a - 2;",
    ),
    wrapper(
        r#"int r; asm volatile("xorl %0,%0; lock; dec$S %1; setz %b0" : "=&q"(r), "+m"(*p) : : "memory"); return r;"#,
        "return __atomic_sub_fetch(p, 1, 5) == 0;",
    ),
    wrapper(
        r#"int r; unsigned char z; asm volatile("lock; sub$S %3,%0; sete %1; movzbl %1,%2" : "+m"(*p), "=&q"(z), "=r"(r) : "q"(a)); return r;"#,
        "return __atomic_sub_fetch(p, a, 5) == 0;",
    ),
    of_words(
        r#"int r; T n = a & 7; asm volatile("lock; bts$S %2,%1; sbb %0,%0" : "=r"(r), "+m"(*p) : "r"(n) : "memory"); return r;"#,
        "T m = (T)1 << (a & 7); return __atomic_fetch_or(p, m, 5) & m ? -1 : 0;",
    ),
    of_words(
        r#"_Bool r; asm volatile("lock; btr$S $1,%0" : "+m"(*p), "=@ccc"(r)); return r;"#,
        "return (__atomic_fetch_and(p, (T)~2, 5) & 2) != 0;",
    ),
    of_words(
        r#"unsigned char r; asm volatile("lock; btc$S %2,%1; setc %0" : "=q"(r), "+m"(*p) : "Ir"((T)3)); return r;"#,
        "return (__atomic_fetch_xor(p, 8, 5) & 8) != 0;",
    ),
    of_words(
        r#"unsigned char r; T n = a & 3; asm volatile("bt$S %2,%1; setnc %0" : "=q"(r) : "m"(*p), "r"(n)); return r;"#,
        "return !(*(volatile T *)p & (T)1 << (a & 3));",
    ),
];

/// The letter, the type, and the unsigned type of each width.
const WIDTHS: [(char, &str, &str); 4] = [
    ('b', "int8_t", "uint8_t"),
    ('w', "int16_t", "uint16_t"),
    ('l', "int32_t", "uint32_t"),
    ('q', "int64_t", "uint64_t"),
];

/// The name of a wrapper in this width, as assembly or not, and its text.
fn function(at: usize, width: usize, as_assembly: bool) -> (String, String) {
    let (letter, ty, unsigned) = WIDTHS[width];
    let (body, kind) = if as_assembly {
        (WRAPPERS[at].assembly, "asm")
    } else {
        (WRAPPERS[at].c, "c")
    };
    let name = format!("{kind}_{at}_{letter}");
    let body = body.replace("$S", &letter.to_string());
    let text = format!(
        "#define T {ty}\n#define U {unsigned}\nstatic T {name}(T *p, T a)\n{{\n    {body}\n}}\n#undef T\n#undef U\n"
    );
    (name, text)
}

/// Where a wrapper exists in a width.
fn exists(at: usize, width: usize) -> bool {
    width > 0 || WRAPPERS[at].of_bytes
}

const HEADER: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdint.h>\n";

/// Each call as assembly and as C, on objects with the same values.
fn alone(width: usize, calls: &[(usize, i8, i8)]) -> String {
    let (mut functions, mut body) = (String::new(), String::new());
    let ty = WIDTHS[width].1;
    let mut used = std::collections::BTreeSet::new();
    for &(at, value, operand) in calls.iter().filter(|call| exists(call.0, width)) {
        let [(a, first), (b, second)] = [true, false].map(|kind| function(at, width, kind));
        if used.insert(at) {
            functions.push_str(&first);
            functions.push_str(&second);
        }
        writeln!(
            body,
            "    x = y = {value}; assert({a}(&x, {operand}) == {b}(&y, {operand})); assert(x == y);"
        )
        .expect("a string");
    }
    format!("{HEADER}static {ty} x, y;\n{functions}int main(void)\n{{\n{body}    return 0;\n}}\n")
}

fn read(text: &str) -> Program {
    let parsed = parse_with(Format::C, text, &ParseOptions::new().name("t.c"));
    let rendered = parsed.render("t.c", text, false);
    parsed
        .program
        .unwrap_or_else(|| panic!("{rendered}\n{text}"))
}

fn verdict(program: &Program, model: Model) -> &'static str {
    let options = CheckOptions::new(model).engine(Engine::Explicit);
    let report = check(program, &options, &Budget::default()).expect("no defect");
    report.verdict().word()
}

/// Whether the compiled program ends well; `None` without a compiler.
fn runs(text: &str, number: usize) -> Option<bool> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let name = format!("assembly-{}-{number}", std::process::id());
    let (source, binary) = (folder.join(format!("{name}.c")), folder.join(&name));
    std::fs::write(&source, text).expect("the folder of the tests is writable");
    let compiled = Command::new("gcc")
        .args(["-w", "-O1", "-pthread", "-o"])
        .args([&binary, &source])
        .output()
        .ok()
        .filter(|_| cfg!(target_arch = "x86_64"));
    let ended = compiled.map(|compiled| {
        let messages = String::from_utf8_lossy(&compiled.stderr).into_owned();
        assert!(compiled.status.success(), "{messages}\n{text}");
        let ran = Command::new(&binary).output().expect("it runs");
        ran.status.success()
    });
    let _ = std::fs::remove_file(source);
    let _ = std::fs::remove_file(binary);
    ended
}

/// Operands that differ in their sign, carry, and lowest bits.
const OPERANDS: [i8; 7] = [0, 1, 2, 3, -1, -2, 127];

#[test]
fn assembly_does_what_the_built_in_functions_do() {
    for width in 0..WIDTHS.len() {
        let mut calls = Vec::new();
        for at in 0..WRAPPERS.len() {
            for value in OPERANDS {
                calls.extend(OPERANDS.map(|operand| (at, value, operand)));
            }
        }
        let ended = runs(&alone(width, &calls), width);
        assert_ne!(ended, Some(false), "{}", alone(width, &calls));
        for calls in calls.chunks(OPERANDS.len() * OPERANDS.len()) {
            let text = alone(width, calls);
            // Without a call of a wrapper, nothing is asserted.
            if text.contains("assert(x") {
                assert_eq!(verdict(&read(&text), Model::Sc), "holds", "{text}");
            }
        }
    }
}

/// A call in a thread: the wrapper, which of two objects, the operand.
type Call = (usize, bool, i8);

/// Two threads with these calls; whether these results are possible.
fn together(threads: &[Vec<Call>; 2], results: [i8; 2], width: usize, as_assembly: bool) -> String {
    let ty = WIDTHS[width].1;
    let (mut functions, mut bodies) = (String::new(), String::new());
    let mut used = std::collections::BTreeSet::new();
    for (number, calls) in threads.iter().enumerate() {
        writeln!(bodies, "static void *thread_{number}(void *u)\n{{").expect("a string");
        for &(at, other, operand) in calls.iter().filter(|call| exists(call.0, width)) {
            let (name, text) = function(at, width, as_assembly);
            if used.insert(at) {
                functions.push_str(&text);
            }
            let object = if other { "y" } else { "x" };
            writeln!(bodies, "    r{number} = {name}(&{object}, {operand});").expect("a string");
        }
        bodies.push_str("    return u;\n}\n");
    }
    let [a, b] = results;
    format!(
        "{HEADER}static {ty} x, y;\nstatic {ty} r0, r1;\n{functions}{bodies}int main(void)
{{
    pthread_t a, b;
    pthread_create(&a, 0, thread_0, 0);
    pthread_create(&b, 0, thread_1, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(r0 == {a} && r1 == {b}));
    return 0;
}}
"
    )
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    prop::collection::vec((0..WRAPPERS.len(), any::<bool>(), 0..3_i8), 1..4)
}

proptest! {
    #![proptest_config(config(32))]

    #[test]
    fn threads_with_assembly_have_the_same_verdicts(
        first in calls(), second in calls(),
        results in [-1..3_i8, -1..3_i8],
        width in 0..WIDTHS.len(),
        model in prop::sample::select(vec![Model::Sc, Model::Tso, Model::Pso]),
    ) {
        let threads = [first, second];
        let [own, other] = [true, false].map(|kind| together(&threads, results, width, kind));
        let (mine, theirs) = (read(&own), read(&other));
        prop_assert_eq!(verdict(&mine, model), verdict(&theirs, model), "{}\n{}", own, other);
        if model != Model::Sc {
            let robustness = |program: &Program| {
                let options = RobustOptions::new(model);
                let report = robust(program, &options, &Budget::default()).expect("no defect");
                report.verdict().word()
            };
            prop_assert_eq!(robustness(&mine), robustness(&theirs), "{}\n{}", own, other);
        }
    }
}
