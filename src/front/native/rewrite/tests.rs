//! Tests of each kind of position, and that every edited text means what it should.

mod corpus;
mod forms;
mod mutants;
mod others;
mod short;

use super::*;
use crate::program::{LocId, Site};
use crate::text::render;

fn read(text: &str) -> Program {
    let parsed = parse(text);
    let shown = render(&parsed.diagnostics, "test.fence", text, false);
    parsed.program.expect(&shown)
}

/// The sites of the instructions that are written as `words`, at the first occurrence of these
/// words in the text.
fn sites(text: &str, program: &Program, words: &str) -> Vec<Site> {
    let at = text.find(words).expect("the text contains the words");
    let found: Vec<Site> = program
        .sites()
        .filter(|(_, i)| i.origin.start as usize == at)
        .map(|(site, _)| site)
        .collect();
    assert!(!found.is_empty(), "no instruction is written `{words}`");
    found
}

/// The text with a fence after everything that is written as `words`, which must be everything
/// written there.
fn fence_after(text: &str, words: &str, fence: &Fence) -> Result<String, Unwritable> {
    let program = read(text);
    let mut places: BTreeSet<(ThreadId, LocId)> = BTreeSet::new();
    for site in sites(text, &program, words) {
        places.insert((site.thread, program.instruction(site).to));
    }
    let changes: Vec<Change> = fences(&places, fence).collect();
    rewrite(text, &program, &changes)
}

/// The lines of a text that are not in another one.
fn new_lines(before: &str, after: &str) -> Vec<String> {
    let old: Vec<&str> = before.lines().collect();
    let new = after.lines().filter(|line| !old.contains(line));
    new.map(|line| line.trim().to_owned()).collect()
}

impl SourceText<'_> {
    /// All locations that a fence inserted for this one is at; none if it cannot be inserted.
    fn places_alike(&self, thread: ThreadId, loc: LocId) -> Vec<(ThreadId, LocId)> {
        if self.program.thread(thread).location(loc).atomic {
            return Vec::new();
        }
        self.insertion_points
            .at(thread, loc)
            .into_iter()
            .find(|(point, places)| self.is_right(*point, places, &Fence::Full))
            .map(|(_, places)| places.iter().copied().collect())
            .unwrap_or_default()
    }
}

#[test]
fn a_fence_before_a_statement_is_indented_like_its_neighbour() {
    let text = "//: about   what stays\n\
                shared x, y; // cells\n\
                thread t {\n\
                \tlocal r;\n\
                \tx = 1;\t// out\n\
                \n\
                \t/* in */\n\
                \tr = y;\n\
                }\n\
                thread u { y = 1; x = 2; }\n";
    assert_eq!(
        fence_after(text, "x = 1", &Fence::Full).as_deref(),
        Ok(text.replace("\tr = y", "\tfence;\n\tr = y").as_str())
    );
    assert_eq!(
        fence_after(text, "y = 1", &Fence::Store).as_deref(),
        Ok(text.replace("x = 2", "fence store; x = 2").as_str())
    );
}

#[test]
fn cells_are_named_as_they_were_declared() {
    let text = "shared s[3], `thread`, x; thread t { x = 1; x = 2; }";
    let fence =
        |cells: &[i32]| Fence::Cells(cells.iter().map(|c| crate::program::Addr(*c)).collect());
    for (cells, words) in [
        (fence(&[1, 2, 3, 5]), "fence(s, x); x = 2"),
        (fence(&[2, 4]), "fence(s[1], `thread`); x = 2"),
    ] {
        let expected = text.replace("x = 2", words);
        assert_eq!(fence_after(text, "x = 1", &cells), Ok(expected));
    }
    let expected = text.replace("x = 2", "barrier all; x = 2");
    assert_eq!(fence_after(text, "x = 1", &Fence::All), Ok(expected));
}

#[test]
fn a_fence_at_the_head_of_a_loop_is_inserted_into_its_condition() {
    for (text, store, line) in [
        (
            "shared x, y; thread t {\n x = 1;\n while (y == 1 && x) { }\n }",
            "x = 1",
            "while (fence, y == 1 && x) { }",
        ),
        (
            "shared x, y; thread t {\n while ((y)) { y = 2;\n x = 1; }\n }",
            "x = 1",
            "while (fence, (y)) { y = 2;",
        ),
        (
            "shared x, y; thread t {\n do { x = 1; } while (y);\n }",
            "x = 1",
            "do { x = 1; } while (fence, y);",
        ),
        (
            "shared x, y; thread t {\n do {\n y = 2; x = 1; } while (1);\n }",
            "x = 1",
            "fence;",
        ),
        (
            "shared x, y; thread t {\n loop {\n y = 2; x = 1; }\n }",
            "x = 1",
            "fence;",
        ),
        (
            "shared x, y; thread t {\n while (fence, y) { x = 1; }\n }",
            "x = 1",
            "while (fence, fence, y) { x = 1; }",
        ),
    ] {
        let written = fence_after(text, store, &Fence::Full);
        assert_eq!(new_lines(text, &written.expect(text)), [line], "{text}");
    }
}

#[test]
fn a_fence_inside_an_expression_comes_before_the_next_load() {
    for (text, load, line) in [
        (
            "shared x, y; thread t {\n while (x == 1 && y == 1) { }\n }",
            "y == 1",
            "while (x == 1 && (fence, y == 1)) { }",
        ),
        (
            "shared x, y; thread t { local r;\n r = x + (y * 2);\n }",
            "y * 2",
            "r = x + (fence, y * 2);",
        ),
        (
            "shared x, y; thread t { local r;\n r = x + cas(y, x, 1);\n }",
            "x, 1",
            "",
        ),
    ] {
        let program = read(text);
        let at = text.find(load).expect("the text contains the load");
        let Some((site, _)) = program
            .sites()
            .find(|(_, i)| i.origin.start as usize == at && matches!(i.op, Op::Load { .. }))
        else {
            unreachable!("`{load}` is loaded");
        };
        let change = Change::Fence {
            thread: site.thread,
            loc: program.instruction(site).from,
            fence: Fence::Full,
        };
        let written = rewrite(text, &program, &[change]).expect(text);
        let line = if line.is_empty() {
            "r = x + (fence, cas(y, x, 1));"
        } else {
            line
        };
        assert_eq!(new_lines(text, &written), [line], "{text}");
    }
}

#[test]
fn branches_choices_and_labels_keep_their_paths() {
    for (text, store, line) in [
        (
            "shared x, y; thread t { x = 1;\n choose { y = 1; } or { y = 2; }\n }",
            "x = 1",
            "fence;",
        ),
        (
            "shared x, y; thread t {\n choose { x = 1; } or { y = 2; }\n y = 3;\n }",
            "x = 1",
            "fence;",
        ),
        (
            "shared x, y; thread t { local r;\n if (r) { x = 1; y = 1; } else { y = 2; }\n }",
            "x = 1",
            "if (r) { x = 1; fence; y = 1; } else { y = 2; }",
        ),
        (
            "shared x, y; thread t { local r;\n x = 1;\n l: if (y) { goto l; }\n }",
            "x = 1",
            "l: fence; if (y) { goto l; }",
        ),
        (
            "shared x, y; thread t {\n x = 1;\n goto l; y = 2;\n l: y = 3;\n }",
            "x = 1",
            "l: fence; y = 3;",
        ),
        (
            "shared x, y; thread t {\n x = 1;\n l:\n while (y) { }\n } forbid t@l;",
            "x = 1",
            "while (fence, y) { }",
        ),
        (
            "shared x, y; thread t {\n while (y) { y = 1;\n { x = 1; l: } } } forbid t@l;",
            "x = 1",
            "{ x = 1; l: fence; } } } forbid t@l;",
        ),
        (
            "shared x, y; thread t {\n x = 1; @cost 3 @cost 5\n y = 2;\n }",
            "x = 1",
            "x = 1; fence; @cost 3 @cost 5",
        ),
    ] {
        let written = fence_after(text, store, &Fence::Full).expect(text);
        assert_eq!(new_lines(text, &written), [line], "{text}");
    }
}

#[test]
fn text_that_stands_for_several_places_changes_all_of_them_or_none() {
    let text = "shared x, y; proc p(v) { x = v;\n y = v; } thread t[2] { p(1); p(2); }";
    let program = read(text);
    let stores = sites(text, &program, "x = v");
    assert_eq!(stores.len(), 4);
    let place = |site: Site| (site.thread, program.instruction(site).to);
    let source = SourceText::new(text, &program).expect("its own text");
    let (thread, loc) = place(stores[0]);
    let alike = source.places_alike(thread, loc);
    let expected: Vec<(ThreadId, LocId)> = stores.iter().map(|s| place(*s)).collect();
    assert_eq!(alike, expected);
    assert_eq!(source.sites_alike(stores[3]), stores);

    let written = fence_after(text, "x = v", &Fence::Full).expect("all of them");
    assert_eq!(new_lines(text, &written)[0], "fence;");
    let one = Change::Fence {
        thread,
        loc,
        fence: Fence::Full,
    };
    let refused = source.rewrite(&[one]).expect_err("one of four");
    assert_eq!(
        refused.to_string(),
        "line 2: a fence cannot be inserted here: the same text also stands for a location of thread \
         `t.0` (line 2), which must not change"
    );
    let one = Change::Exchange(stores[0]);
    assert!(source.rewrite(&[one]).is_err());
    // Between the calls there is a location of each copy, but not of both calls.
    let last = sites(text, &program, "y = v");
    let (thread, loc) = place(last[0]);
    assert_eq!(source.places_alike(thread, loc).len(), 2);
}

#[test]
fn an_exchange_keeps_the_expectations_inside_a_statement() {
    for statement in [
        "s//: check sc holds\n[i] += 2;",
        "s[i] //: check sc holds\n += 2;",
        "s[i] //: check sc holds\n ++;",
        "++ //: check sc holds\n s[i];",
        "s[i] = //: check sc holds\n 2;",
    ] {
        let text = format!("shared s[2]; thread t {{ local i; {statement} }}");
        let program = read(&text);
        let source = SourceText::new(&text, &program).expect("its own text");
        let store = program.sites().find(|(_, i)| i.op.is_store());
        let change = Change::Exchange(store.expect("a store").0);
        let written = source.rewrite(&[change]).expect("an exchange");
        assert_eq!(written.matches("//: check").count(), 1, "{written}");
        assert_eq!(written.matches("xchg").count(), 1, "{written}");
    }
}

#[test]
fn no_fence_is_written_inside_an_atomic_block() {
    let text = "shared x, y; thread t { atomic { x = 1; y = 1; } x = 2; }";
    let refused = fence_after(text, "x = 1", &Fence::Full).expect_err("inside");
    assert_eq!(refused.why, "it would be inside an atomic block");
    let program = read(text);
    let end = program.thread(ThreadId(0)).instructions()[3].to;
    let change = Change::Fence {
        thread: ThreadId(0),
        loc: end,
        fence: Fence::Full,
    };
    let written = rewrite(text, &program, &[change]);
    assert_eq!(written, Ok(text.replace("x = 2", "fence; x = 2")));
}

#[test]
fn the_automaton_form_gets_an_instruction_and_a_label() {
    let text = "thread t regs r init l0 begin\n\
                \x20 l0: mem[x] <- 1; goto l1;\n\
                \x20 @cost 2 l1: r <- mem[y]; goto l0;\n\
                \x20 l1: mem[x] <- r; goto l2;\n\
                end\nforbid t@l1 && x == 7;\n";
    let expected = text
        .replace("  @cost 2 l1:", "  l1: mfence; goto l1_f;\n  @cost 2 l1_f:")
        .replace("  l1: mem", "  l1_f: mem");
    assert_eq!(
        fence_after(text, "mem[x] <- 1", &Fence::Full).as_deref(),
        Ok(expected.as_str())
    );
    let listed = text.replace("init", "locations l0, l1, (l2) init");
    let expected = listed
        .replace("(l2)", "(l2), (l1_f)")
        .replace(
            "  @cost 2 l1:",
            "  l1: fence x; goto l1_f;\n  @cost 2 l1_f:",
        )
        .replace("  l1: mem", "  l1_f: mem");
    let fence = Fence::Cells(vec![crate::program::Addr(1)]);
    assert_eq!(
        fence_after(&listed, "mem[x] <- 1", &fence).as_deref(),
        Ok(expected.as_str())
    );
}

#[test]
fn two_fences_at_one_place_keep_their_order() {
    let fence = |fence| Change::Fence {
        thread: ThreadId(0),
        loc: LocId(1),
        fence,
    };
    let changes = [fence(Fence::Full), fence(Fence::Store)];
    for (text, expected) in [
        (
            "shared x, y; thread t { x = 1; y = 1; }",
            "shared x, y; thread t { x = 1; fence store; fence; y = 1; }",
        ),
        (
            "thread t init a begin a: mem[x] <- 1; goto b; b: mem[y] <- 1; goto c; end",
            "thread t init a begin a: mem[x] <- 1; goto b; b: sfence; goto b_f; \
             b_f: mfence; goto b_f2; b_f2: mem[y] <- 1; goto c; end",
        ),
    ] {
        let written = rewrite(text, &read(text), &changes);
        assert_eq!(written.as_deref(), Ok(expected));
    }
}
