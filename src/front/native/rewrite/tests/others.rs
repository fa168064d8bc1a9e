//! Exchanges, removed fences, and adjacent changes.

use super::super::*;
use super::{read, sites};
use crate::program::{InstrId, LocId, Site};

#[test]
fn a_store_becomes_an_exchange_in_place() {
    for (text, store, expected) in [
        ("x = y + 1;", "x = y + 1", "xchg(x, y + 1);"),
        ("s[x]=-1 ;", "s[x]=-1", "xchg(s[x], -1) ;"),
        (
            "*p /* a */ = /* b */ (1);",
            "*p",
            "xchg(*p /* a */, /* b */ (1));",
        ),
        (
            "x = xchg(y, 1); while (xchg(y, 2)) { }",
            "x = xchg",
            "xchg(x, xchg(y, 1)); while (xchg(y, 2)) { }",
        ),
    ] {
        let text = format!("shared x, y, s[2]; thread t {{ local p = &y; {text} }}");
        let start =
            text.find(store).expect("the text contains the store") - store.find(store).unwrap_or(0);
        let program = read(&text);
        let (site, _) = program
            .sites()
            .find(|(_, i)| i.origin.start as usize == start && i.op.is_store())
            .expect("there is a store");
        let written = rewrite(&text, &program, &[Change::Exchange(site)]).expect(&text);
        assert!(written.contains(expected), "{written}");
    }
    for (regs, expected) in [
        (
            "",
            "regs was init a begin a: was <- xchg(mem[x], 1); goto b; b: was <- xchg(mem[y], was2)",
        ),
        ("regs ", "regs was init a begin a: was"),
        ("regs r = 1 ", "regs r = 1, was init a begin a: was"),
    ] {
        let text = format!(
            "thread t {regs}init a begin a: mem[x] <- 1; goto b; b: mem[y] <- was2; goto c; end"
        );
        let program = read(&text);
        let changes = [0, 1].map(|instr| {
            Change::Exchange(Site {
                thread: ThreadId(0),
                instr: InstrId(instr),
            })
        });
        let written = rewrite(&text, &program, &changes).expect(&text);
        assert!(written.contains(expected), "{written}");
    }
}

#[test]
fn a_fence_is_removed_with_its_line_its_comma_and_its_annotations() {
    for (text, fence, expected) in [
        ("x = 1;\n  fence;\n  x = 2;", "fence", "x = 1;\n  x = 2;"),
        (
            "x = 1; @cost 4 fence(x); x = 2;",
            "fence(x)",
            "x = 1; x = 2;",
        ),
        (
            "x = 1; if (x) { fence store; }",
            "fence store",
            "x = 1; if (x) { }",
        ),
        ("while (fence, x) { }", "fence", "while (x) { }"),
        (
            "while (x && (fence store , x)) { }",
            "fence store",
            "while (x && (x)) { }",
        ),
        ("l: fence; m: x = 1;", "fence", "l: skip; m: x = 1;"),
        ("loop { fence; }", "fence", "loop { }"),
        (
            "choose { fence; } or { x = 1; }",
            "fence",
            "choose { } or { x = 1; }",
        ),
    ] {
        let around = |body: &str| {
            let properties = if body.contains("m:") {
                "forbid t@l; forbid t@m;"
            } else {
                ""
            };
            format!("shared x; thread t {{ {body} }}\n{properties}")
        };
        let text = around(text);
        let program = read(&text);
        let site = sites(&text, &program, fence)[0];
        let written = rewrite(&text, &program, &[Change::Remove(site)]);
        assert_eq!(written, Ok(around(expected)));
    }
    let text = "thread t init a begin a: mfence; goto b; b: mem[x] <- 1; goto a; end";
    let program = read(text);
    let site = sites(text, &program, "mfence")[0];
    let written = rewrite(text, &program, &[Change::Remove(site)]);
    assert_eq!(written, Ok(text.replace("mfence", "noop")));
}

#[test]
fn changes_of_neighbours_are_made_together() {
    let text = "shared x, y; thread t {\n  fence store;\n  x = 1;\n  y = 2;\n}\n";
    let program = read(text);
    let site = |instr| Site {
        thread: ThreadId(0),
        instr: InstrId(instr),
    };
    let fence = |loc| Change::Fence {
        thread: ThreadId(0),
        loc: LocId(loc),
        fence: Fence::Full,
    };
    let changes = [
        Change::Remove(site(0)),
        fence(0),
        Change::Exchange(site(1)),
        fence(1),
        fence(2),
    ];
    let expected =
        "shared x, y; thread t {\n  fence;\n  fence;\n  xchg(x, 1);\n  fence;\n  y = 2;\n}\n";
    assert_eq!(rewrite(text, &program, &changes).as_deref(), Ok(expected));
}

#[test]
fn a_text_that_is_not_that_of_the_program_is_refused() {
    let program = read("shared x; thread t { x = 1; x = 2; }");
    let change = Change::Exchange(Site {
        thread: ThreadId(0),
        instr: InstrId(0),
    });
    let refused = rewrite("shared x; thread t { x = 1; }", &program, &[change]);
    let refused = refused.expect_err("another program");
    assert_eq!(refused.why, "the text does not match the program");
}
