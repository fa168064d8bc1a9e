//! What other languages write is answered with what to write instead.

use super::super::*;

/// The diagnostics of a text, with their labels and notes; a body of a thread if it is not an item.
fn shown(mistake: &str) -> Vec<String> {
    let item = [
        "exists ",
        "forbid ",
        "final ",
        "#include",
        "struct ",
        "enum ",
        "fn ",
        "void ",
        "int main",
        "def ",
        "~exists",
        "forall ",
        "assert t0",
        "static ",
        "inline ",
        "typedef ",
        "const ",
        "-- ",
        "P0 ",
        "init ",
        "invariant ",
        "byte ",
        "global ",
        "shared ",
        "if (y)",
        "local z",
        "active ",
        "thread {",
        "(*",
    ];
    let text = if item.iter().any(|word| mistake.starts_with(word)) {
        format!("shared x, y, m;\nthread t0 {{ local r; r = x; }}\n{mistake}\n")
    } else {
        format!("shared x, y, m, p;\nthread t0 {{\n    local r, i;\n    {mistake}\n}}\n")
    };
    let parsed = parse(&text);
    let words = |d: &Diagnostic| format!("{}: {} {}", d.message, d.label, d.notes.join(" "));
    parsed.diagnostics.iter().map(words).collect()
}

#[test]
fn each_mistake_is_answered_with_what_to_write() {
    let mut wrong = Vec::new();
    for (mistake, answer) in [
        ("int r2 = 0;", "write `local r = 0;`"),
        ("bool b = true;", "write `local r = 0;`"),
        ("let r2 = 0;", "write `local r = 0;`"),
        ("var r2 = 0;", "write `local r = 0;`"),
        ("auto r2 = 0;", "write `local r = 0;`"),
        ("volatile int r2;", "write `local r = 0;`"),
        ("for (int j = 0; j < 2; j++) { }", "write `local r = 0;`"),
        ("fn f() { }", "write `proc f(a) { … }`"),
        ("void f() { }", "write `proc f(a) { … }`"),
        ("def f(): { }", "write `proc f(a) { … }`"),
        ("struct s { int a; };", "there are no structures"),
        ("enum { A, B };", "write `const A = 0, B = 1;`"),
        ("switch (x) { case 1: y = 1; }", "write `if (e == 1)"),
        (
            "if (x) { y = 1; } elif (y) { x = 1; }",
            "write `else if (e)",
        ),
        ("if (x) then y = 1;", "nothing is written between"),
        ("mfence;", "the full fence is `fence;`"),
        ("smp_mb();", "the full fence is `fence;`"),
        ("smp_wmb();", "`fence store;`"),
        ("smp_rmb();", "loads stay in order here"),
        ("atomic_thread_fence(SeqCst);", "the full fence is `fence;`"),
        ("__sync_synchronize();", "the full fence is `fence;`"),
        ("barrier();", "the full fence is `fence;`"),
        ("fence(SeqCst);", "there are no memory orders"),
        ("#include <atomic>", "there is no preprocessor"),
        ("# comment", "comments start with `//`"),
        ("lock(m);", "`proc lock(m)"),
        ("unlock(m);", "`proc unlock(m)"),
        ("r = compare_exchange(x, 0, 1);", "write `cas(x, old, new)`"),
        ("r = x.compare_exchange(0, 1);", "write `cas(x, old, new)`"),
        ("r = x.load(SeqCst);", "every mention of `x` is a load"),
        ("x.store(1);", "write `x = v;`"),
        ("r = x.swap(1);", "write `xchg(x, v)`"),
        ("r = atomic_exchange(x, 1);", "write `xchg(x, v)`"),
        ("r = test_and_set(m);", "write `xchg(x, v)`"),
        ("r = READ_ONCE(x);", "write `r = x;`"),
        ("WRITE_ONCE(x, 1);", "write `x = 1;`"),
        ("exists (t0:r=0 /\\ x=1)", "write `t0.r == 0"),
        ("exists (t0:r=0 /\\ x=1)", "`&&` is \"and\""),
        ("forbid t0.r = 0;", "write `==` to compare"),
        ("if (x = 1) { }", "write `==` to compare"),
        ("r = null;", "write `0`"),
        ("r = nil;", "write `0`"),
        ("spawn worker;", "write `thread t { … }`"),
        ("printf(\"%d\", r);", "nothing is printed"),
        ("__VERIFIER_assume(r == 0);", "write `assume(e);`"),
        ("wait_until(x == 1);", "write `await(e);`"),
        ("repeat { x = 1; } until (y);", "while (!(e))"),
        ("begin x = 1; end", "blocks are written in braces"),
        ("r := 1;", "write `=`"),
        ("if (x <> 1) { }", "write `!=`"),
        ("r &&= x;", "write `x = x && e;`"),
        ("if (x and y) { }", "write `&&`"),
        ("if (x or y) { }", "write `||`"),
        ("if (not x) { }", "write `!`"),
        ("r = p->next;", "there are no structures"),
        ("for i in x { }", "write `for (i = 0;"),
        ("forever { }", "write `loop { … }`"),
        ("while (!cas(m, 0, 1)) { }", "it succeeds"),
        ("do { } while (!cas(m, 0, 1));", "it succeeds"),
        ("for (; !cas(m, 0, 1);) { }", "it succeeds"),
        ("return 1;", "a thread does not return a value"),
        ("static int z;", "`shared x = 0;` outside"),
        ("inline void f() { }", "write `proc f(a) { … }`"),
        (
            "static int f(int a) { return a; }",
            "write `proc f(a) { … }`",
        ),
        ("int main() { }", "write `proc f(a) { … }`"),
        ("const int N = 3;", "write `const N = 3;`"),
        ("typedef int t;", "all values are 32-bit integers"),
        ("byte z;", "`shared x = 0;` outside"),
        ("global z;", "`shared x = 0;` outside"),
        ("shared atomic<int> z;", "write `shared x = 0;`"),
        ("local z;", "outside of threads, write `shared x = 0;`"),
        ("local a[2];", "declare the array outside"),
        ("P0 { x = 1; }", "write `thread P0 { … }`"),
        ("active proctype p() { }", "write `thread t { … }`"),
        ("init { x = 1; }", "`shared x = 1;`"),
        ("if (y) { x = 1; }", "statements are written in threads"),
        ("invariant x == 0;", "write `forbid e;`"),
        ("~exists (t0:r=0)", "write `forbid e;`"),
        ("forall (t0:r=0)", "write `final assert e;`"),
        ("exists (0:r=0)", "write `t0.r == 0"),
        ("assert t0.r == 0;", "write `final assert e;`"),
        ("-- a comment", "comments are written `// …`"),
        ("(* a comment *)", "comments are written `// …`"),
        ("if x == 1 { y = 1; }", "`if (e) { … }`"),
        ("while x { }", "`while (e) { … }`"),
        ("assert x == 1;", "write `assert(e);`"),
        ("assert!(x == 1);", "write `assert(e);`"),
        ("assume x == 1;", "write `assume(e);`"),
        ("await x == 1;", "write `await(e);`"),
        ("println!(\"{}\", r);", "nothing is printed"),
        ("dbg!(r);", "there are no macros"),
        ("std::atomic::fence(SeqCst);", "`::` is not an operator"),
        ("fence(Ordering::SeqCst);", "there are no memory orders"),
        ("thread::spawn(f);", "write `thread t { … }`"),
        ("std::thread::yield_now();", "write `skip;`"),
        ("asm volatile(\"mfence\");", "the full fence is `fence;`"),
        ("fence();", "the full fence is `fence;`"),
        ("MFENCE", "the full fence is `fence;`"),
        ("lock m;", "`proc lock(m)"),
        ("x = y = 1;", "write two statements"),
        ("r = 1.5;", "all values are 32-bit integers"),
        ("x = 1;;", "leave it out"),
        ("if (x) { y = 1; };", "leave it out"),
        ("yield;", "write `skip;`"),
        ("cpu_relax();", "write `skip;`"),
        ("exit(0);", "write `return;`"),
        ("pthread_create(&t, 0, f, 0);", "write `thread t { … }`"),
        ("pthread_join(t, 0);", "`final assert e;`"),
        ("r = nondet;", "write `nondet(0, 3)`"),
        ("either { x = 1; } or { y = 1; }", "write `choose"),
    ] {
        let found = shown(mistake);
        if !found.iter().any(|words| words.contains(answer)) || found.len() > 2 {
            wrong.push(format!("{mistake}\n  wanted {answer}\n  found {found:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn words_of_other_languages_are_names_if_they_are_declared() {
    let text = "shared lock, end, null, load, int, exit, yield; proc unlock(then) { *then = 0; }\n\
                proc init(type) { yield = type; } thread never { init(exit); }\n\
                thread spawn { local var, not; lock = end; var = null; unlock(&load); int++; not = var; }\n\
                forbid spawn.var == 1 && lock == 0;";
    let parsed = parse(text);
    assert_eq!(parsed.diagnostics, []);
}

#[test]
fn correct_uses_of_cas_are_not_warned_of() {
    for body in [
        "while (cas(x, 0, 1)) { }",
        "while (cas(x, 0, 1) != 0) { }",
        "while (!cas(x, 1, 0)) { }",
        "if (!cas(x, 0, 1)) { y = 1; }",
    ] {
        let parsed = parse(&format!("shared x, y; thread t {{ {body} }}"));
        assert_eq!(parsed.diagnostics, [], "{body}");
    }
}

#[test]
fn no_keyword_is_offered_for_a_short_word_that_is_not_near() {
    for (mistake, offered) in [
        ("inn (x) { }", false),
        ("fro (x) { }", true),
        ("whlie (x) { }", true),
    ] {
        let found = shown(mistake).join("\n");
        assert_eq!(
            found.contains("did you mean"),
            offered,
            "{mistake}: {found}"
        );
    }
}

#[test]
fn procedures_return_values_on_all_paths_or_on_none() {
    for (text, error) in [
        (
            "proc f() { if (x) return 1; }",
            "procedure `f` can end without a value",
        ),
        (
            "proc f() { if (x) { return; } return 1; }",
            "`return` without a value in `f`",
        ),
        (
            "proc f() { skip; } thread u { local r; r = f(); }",
            "procedure `f` does not return a value",
        ),
        ("proc f(a) { return f(a); }", "procedure `f` calls itself"),
        (
            "proc f(a) { return a; } thread u { local r; r = f(); }",
            "`f` takes 1 argument, not 0",
        ),
    ] {
        let parsed = parse(&format!("shared x; thread t {{ x = 1; }} {text}"));
        let found: Vec<&str> = parsed
            .diagnostics
            .iter()
            .map(|d| d.message.as_str())
            .collect();
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].contains(error), "{text}: {found:?}");
    }
    for text in [
        "proc f() { loop { if (x) return 1; } }",
        "proc f() { while (true) { if (x) { return 1; } } }",
        "proc f() { if (x) return 1; else return 2; }",
        "proc f() { choose { return 1; } or { return 2; } }",
    ] {
        let parsed = parse(&format!("shared x; {text} thread t {{ x = f(); }}"));
        assert_eq!(parsed.diagnostics, [], "{text}");
    }
}
