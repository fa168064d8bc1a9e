//! Short forms: that they mean what the program written out means, and that changes of them can be
//! written.

use super::super::*;
use super::{read, sites};

/// A thread with this body, and procedures.
fn program(body: &str) -> String {
    format!(
        "shared x, y, s[4];\nconst N = 3;\nproc twice(a) {{ return a + a; }}\n\
         proc first() {{ if (x) return x; return y; }}\n\
         proc bump(a) {{ *a = *a + 1; }}\n\
         thread t {{ local r, i; {body} }}\nthread u {{ x = 1; y = 2; }}\n\
         final assert t.r == 1;"
    )
}

#[test]
fn short_forms_mean_what_is_written_out() {
    for (short, long) in [
        ("x++;", "x = x + 1;"),
        ("++x;", "x = x + 1;"),
        ("x--;", "x = x - 1;"),
        ("--r;", "r = r - 1;"),
        ("x += y;", "x = x + y;"),
        ("x -= y - 1;", "x = x - (y - 1);"),
        ("x *= y + 1;", "x = x * (y + 1);"),
        ("x &= 6;", "x = x & 6;"),
        ("x |= y;", "x = x | y;"),
        ("r ^= y;", "r = r ^ y;"),
        ("r <<= 2;", "r = r << 2;"),
        ("r >>= 2;", "r = r >> 2;"),
        ("r %= 3;", "r = r % 3;"),
        ("r /= 3;", "r = r / 3;"),
        ("s[x]++;", "i = x; s[i] = s[i] + 1;"),
        ("s[x] -= y;", "i = x; s[i] = s[i] - y;"),
        ("*x |= y;", "i = x; *i = *i | y;"),
        ("xchg(x += y);", "xchg(x, x + y);"),
        ("xchg(--s[r]);", "xchg(s[r], s[r] - 1);"),
        ("xchg(s[x]++);", "i = x; xchg(s[i], s[i] + 1);"),
        ("*(&s + r) -= 1;", "*(&s + r) = *(&s + r) - 1;"),
        ("r = true + false;", "r = 1 + 0;"),
        ("while (true) { x = 1; }", "loop { x = 1; }"),
        ("if (x) y = 1;", "if (x) { y = 1; }"),
        (
            "if (x) y = 1; else if (y) x = 1; else r = 1;",
            "if (x) { y = 1; } else if (y) { x = 1; } else { r = 1; }",
        ),
        (
            "if (x) if (y) r = 1; else r = 2;",
            "if (x) { if (y) { r = 1; } else { r = 2; } }",
        ),
        ("while (x) y = x;", "while (x) { y = x; }"),
        ("if (x) @cost 3 y = 1;", "if (x) { @cost 3 y = 1; }"),
        ("for (;;) x = 1;", "loop { x = 1; }"),
        ("for (; x;) y = 1;", "while (x) { y = 1; }"),
        ("for (; x;);", "while (x) { }"),
        (
            "for (r = 0; r < N; r++) s[r] = x;",
            "r = 0; while (r < N) { s[r] = x; r = r + 1; }",
        ),
        (
            "for (x = 0; x < y; x += 2) { if (s[1]) { break; } r = x; }",
            "x = 0; while (x < y) { if (s[1]) { break; } r = x; x = x + 2; }",
        ),
        (
            "for (r = 0; r < x; r++) { if (y) { continue; } s[0] = r; }",
            "r = 0; while (r < x) { if (y) { goto next; } s[0] = r; next: r = r + 1; }",
        ),
        (
            "for (; x; bump(&y)) { r = 1; }",
            "while (x) { r = 1; bump(&y); }",
        ),
        (
            "for (i = 0; i < 2; fence, i++) { x = i; }",
            "i = 0; while (i < 2) { x = i; fence; i = i + 1; }",
        ),
        (
            "while (y) { for (local k = 0; k < x; k++) r = k; }",
            "while (y) { local k = 0; while (k < x) { r = k; k = k + 1; } }",
        ),
        ("r = twice(x);", "local v, a; v = x; a = v; r = a + a;"),
        (
            "r = x + twice(y);",
            "local u, v, a, w; u = x; v = y; a = v; w = a + a; r = u + w;",
        ),
        (
            "x = twice(twice(y));",
            "local v, a, w, b, z; v = y; a = v; w = a + a; b = w; z = b + b; x = z;",
        ),
        (
            "r = first();",
            "if (x) { r = x; goto e; } r = y; goto e; e:",
        ),
        (
            "r = x + first();",
            "local a = x, b; if (x) { b = x; goto e; } b = y; goto e; e: r = a + b;",
        ),
        (
            "while (first() == 0) { }",
            "local b; loop { if (x) { b = x; goto e; } b = y; goto e; e: if (b == 0) { } else { break; } }",
        ),
        ("assert(r == 0, \"nothing yet\");", "assert(r == 0);"),
    ] {
        let (short, long) = (program(short), program(long));
        let read = read(&short);
        let source = SourceText::new(&short, &read).expect("its own text");
        assert!(source.text_means(&long, &[]), "{short}\n{long}");
    }
}

#[test]
fn temporaries_of_a_statement_survive_the_calls_in_it() {
    // With one register for both loads of `x`, the sum would be twice the second one.
    let short = "shared x; proc next() { x = x + 1; return x; }\n\
                 thread t { local r; r = x + next(); assert(r == 1); }";
    let long = "shared x; thread t { local r, a, b; a = x; x = x + 1; b = x; r = a + b; \
                assert(r == 1); }";
    let program = read(short);
    let source = SourceText::new(short, &program).expect("its own text");
    assert!(source.text_means(long, &[]));
}

#[test]
fn a_declaration_in_a_called_condition_is_made_again_each_time() {
    let short = "shared x; proc f() { local k; k = k + x; return k; }\n\
                 thread t { local r; while (f() == 0) { r = 1; } } final assert t.r == 1;";
    let long = "shared x; thread t { local r, v, k; loop { k = 0; k = k + x; v = k; \
                if (v == 0) { } else { break; } r = 1; } } final assert t.r == 1;";
    let program = read(short);
    let source = SourceText::new(short, &program).expect("its own text");
    assert!(source.text_means(long, &[]));
}

/// The text with a fence before the instruction that is written as `words`.
fn fence_before(text: &str, words: &str) -> Result<String, Unwritable> {
    let program = read(text);
    let site = sites(text, &program, words)[0];
    let change = Change::Fence {
        thread: site.thread,
        loc: program.instruction(site).from,
        fence: Fence::Full,
    };
    rewrite(text, &program, &[change])
}

#[test]
fn a_fence_at_a_single_statement_gets_braces() {
    for (body, before, expected) in [
        (
            "if (r) x = 1; y = 1;",
            "x = 1",
            "if (r) { fence; x = 1; } y = 1;",
        ),
        (
            "while (r)\n    x = y;\n",
            "y;",
            "while (r) {\n    fence;\n    x = y;\n}\n",
        ),
        (
            "if (r)\n  x = 1;\nelse\n  y = 1;\ni = x;",
            "x = 1",
            "if (r) {\n  fence;\n  x = 1;\n}\nelse\n  y = 1;\ni = x;",
        ),
        (
            "if (r)\n  x = 1;\nelse\n  y = 1;\ni = x;",
            "y = 1",
            "if (r)\n  x = 1;\nelse {\n  fence;\n  y = 1;\n}\ni = x;",
        ),
        (
            "if (r) // why\n  x = 1;\ny = 1;",
            "x = 1",
            "if (r) // why\n  { fence; x = 1; }\ny = 1;",
        ),
        (
            "if (i) if (r) x = 1; else y = 1;",
            "x = 1",
            "if (i) if (r) { fence; x = 1; } else y = 1;",
        ),
        (
            "for (i = 0; i < 2; i++) x = i;",
            "i < 2",
            "for (i = 0; fence, i < 2; i++) x = i;",
        ),
        (
            "for (i = 0; i < 2; i++) x = i;",
            "i++",
            "for (i = 0; i < 2; fence, i++) x = i;",
        ),
        (
            "for (i = 0; i < 2; i++) x = i;",
            "i = 0",
            "fence; for (i = 0; i < 2; i++) x = i;",
        ),
    ] {
        let text = program(body);
        // The words are those of the body, not of a procedure.
        let at = text.find(body).expect("it contains the body");
        let words = &text[at + body.find(before).expect("and the words")..];
        let written = fence_before(&text, words);
        assert_eq!(written, Ok(program(expected)), "{body}");
    }
}

#[test]
fn all_places_of_short_forms_can_be_fenced_at_once() {
    for body in [
        "if (x) if (y) r = 1; else s[0] = 2; s[1] = 1;",
        "if (x)\n if (y)\n  s[0] = 1;\ns[1] = 1;",
        "for (x = 0; x < 2; x++) if (y) continue; else s[x] = 1; s[2] = 1;",
        "for (x = 0; x < 2; x++)\n  while (y)\n    s[x] += 1;\n",
        "while (x); s[0] = 1;",
        "for (;;) { x++; if (y) break; } s[0]--;",
        "if (x) l: s[0] = 1; y = 1;",
    ] {
        let text = program(body);
        for program in [parse(&text).program, parse(&text).apart]
            .into_iter()
            .flatten()
        {
            let source = SourceText::new(&text, &program).expect("its own text");
            let mut changes = BTreeSet::new();
            let mut single = 0;
            for (site, instruction) in program.sites() {
                let alike = source.places_alike(site.thread, instruction.to);
                let own: Vec<Change> = fences(&alike.into_iter().collect(), &Fence::Full).collect();
                source.rewrite(&own).expect("each can be written");
                if instruction.op.is_store() {
                    assert!(
                        !own.is_empty() || program.thread(site.thread).is_end(instruction.to),
                        "no fence after {instruction:?} in {body}"
                    );
                    changes.insert(Change::Exchange(site));
                    changes.extend(own);
                    single += 1;
                }
            }
            assert!(single > 0);
            let changes: Vec<Change> = changes.into_iter().collect();
            let written = source.rewrite(&changes);
            assert!(written.is_ok(), "{written:?} in {body}");
        }
    }
}

#[test]
fn updates_become_exchanges() {
    for (body, expected) in [
        ("x++;", "xchg(x++);"),
        ("--x;", "xchg(--x);"),
        ("++ s[1];", "xchg(++ s[1]);"),
        ("x *= y | 1;", "xchg(x *= y | 1);"),
        ("s[r] += -1;", "xchg(s[r] += -1);"),
        ("s[x] += y;", "xchg(s[x] += y);"),
    ] {
        let text = program(body);
        let read = read(&text);
        let words = body.trim_end_matches(';');
        let change = sites(&text, &read, words)
            .into_iter()
            .find(|site| read.instruction(*site).op.is_store())
            .expect("there is a store");
        let written = rewrite(&text, &read, &[Change::Exchange(change)]);
        assert_eq!(written, Ok(program(expected)), "{body}");
    }
}
