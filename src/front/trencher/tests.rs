//! Tests of errors, warnings, value ranges, and edits.

use super::rewrite::rewrite;
use super::*;
use crate::program::{Change, Expr, Fence, LocId, Op, Program, Site, ThreadId};
use crate::text::render;

mod fuzz;

fn program(text: &str) -> Program {
    let parsed = parse(text);
    let shown = render(&parsed.diagnostics, "text", text, false);
    parsed.program.unwrap_or_else(|| panic!("{shown}\n{text}"))
}

fn thread(body: &str) -> String {
    format!("thread t\ninitial 0\n{body}\nend\n")
}

/// The messages of a text: errors and warnings.
fn messages(text: &str) -> Vec<String> {
    let parsed = parse(text);
    parsed.diagnostics.into_iter().map(|d| d.message).collect()
}

#[test]
fn a_loop_that_a_check_bounds_has_bounded_values() {
    for (body, cells) in [
        (
            "check < i 100\ntransition 1 2 write 1 i\ntransition 2 0 local i + i 1",
            100,
        ),
        (
            "check <= + i 3 * 10 10\ntransition 1 2 write 1 i\ntransition 2 0 local i + i 1",
            98,
        ),
        (
            "check != i 200\ntransition 1 2 write 1 i\ntransition 2 0 local i + i 1",
            200,
        ),
        (
            "check && > 60 i ! 0\ntransition 1 2 write 1 * 2 i\ntransition 2 0 local i + 1 i",
            119,
        ),
        (
            "check ! || >= i 50 == i 77\ntransition 1 2 write 1 + -7 i\ntransition 2 0 local i + i 1",
            50,
        ),
        (
            "check >= i -90\ntransition 1 2 write 1 i\ntransition 2 0 local i - i 1",
            91,
        ),
        (
            "local i & n 7\ntransition 1 2 write -1 i\ntransition 2 0 read n 0",
            8,
        ),
    ] {
        let program = program(&thread(&format!("transition 0 1 {body}")));
        assert_eq!(program.cell_count(), cells, "{body}");
    }
}

#[test]
fn counters_in_memory_count_what_is_executed_once() {
    let take = "read t 0\ntransition 1 2 write + t 1 0\ntransition 2 3 write 1 + 10 t";
    let one = |name: &str| format!("thread {name}\ninitial 0\ntransition 0 1 {take}\nend\n");
    // Three threads draw 0 to 2: the counter at 0 and the cells from 10 on.
    let threads = [one("a"), one("b"), one("c")].concat();
    let program = program(&threads);
    let names: Vec<String> = program.cells().map(|c| program.cell_name(c)).collect();
    assert_eq!(names[0], "mem[0]");
    assert_eq!(names[1], "mem[10]");
    assert!(names.len() <= 1 + 7, "{names:?}");
    // The same in a loop never ends.
    let back = format!("transition 0 1 {take}\ntransition 3 0 noop");
    // The address, too: that is rejected, and the counter gets a warning.
    assert!(messages(&thread(&back)).contains(&"`+ t 1` may overflow 32 bits".to_owned()));
}

#[test]
fn expressions_that_may_overflow_32_bits_are_reported() {
    for (body, message) in [
        (
            "transition 0 0 local i + i 1",
            "`+ i 1` may overflow 32 bits",
        ),
        (
            "transition 0 1 local i * 65536 32768",
            "`* 65536 32768` may overflow 32 bits",
        ),
        (
            "transition 0 1 read i 0\ntransition 1 0 write - i 5 0",
            "`- i 5` may overflow 32 bits",
        ),
        (
            "transition 0 1 check + 2147483647 - 1 0",
            "`+ 2147483647 - 1 0` may overflow 32 bits",
        ),
    ] {
        assert_eq!(messages(&thread(body)), [message], "{body}");
    }
    // The program ends where a value overflows: a limit for each part that may.
    for (body, limits) in [
        ("transition 0 0 local i + i 1", 1),
        ("transition 0 0 local i + * i i 1", 2),
        ("transition 0 1 check + 2147483647 - 1 0", 1),
        ("transition 0 0 local i + & i 7 1", 0),
    ] {
        assert_eq!(program(&thread(body)).limits().len(), limits, "{body}");
    }
    // Code that is never executed has no effect.
    let dead = "transition 0 1 check 0\ntransition 1 1 local i + i 1";
    assert!(messages(&thread(dead)).is_empty());
}

#[test]
fn addresses_far_apart_are_cells_side_by_side() {
    let body = "transition 0 1 write 1 -2147483648\ntransition 1 2 write 1 2147483647\n\
        transition 2 3 read i 2147483647\ntransition 3 4 write 2 + i 40\n\
        transition 4 5 write 3 40";
    let program = program(&thread(body));
    let names: Vec<String> = program.cells().map(|c| program.cell_name(c)).collect();
    let expected = ["mem[-2147483648]", "mem[40]", "mem[41]", "mem[2147483647]"];
    assert_eq!(names, expected);
    let far = "transition 0 1 read i 0\ntransition 1 2 write 9999 0\ntransition 2 3 write 1 i\n\
        transition 3 0 noop";
    assert_eq!(
        messages(&thread(far)),
        ["this address has too many possible values"]
    );
}

#[test]
fn registers_that_are_never_written_get_a_warning_with_the_nearest_name() {
    let text = thread("transition 0 1 read flag 3\ntransition 1 2 check == falg 0");
    let parsed = parse(&text);
    assert!(parsed.program.is_some());
    assert_eq!(parsed.diagnostics.len(), 1);
    assert_eq!(parsed.diagnostics[0].label, "did you mean `flag`?");
}

#[test]
fn a_state_with_and_without_the_lock_is_two_locations() {
    let text = thread("transition 0 1 noop\ntransition 0 1 lock\ntransition 1 2 unlock");
    let parsed = parse(&text);
    let program = parsed.program.expect("warnings only");
    let names: Vec<&str> = program.threads()[0]
        .locations()
        .iter()
        .map(|l| l.name.as_str())
        .collect();
    assert_eq!(names, ["0", "1", "1 (held)", "2"]);
    assert_eq!(
        parsed.diagnostics[0].message,
        "`unlock` without the lock blocks forever"
    );
    let blocked = &program.threads()[0].instructions()[2].op;
    assert_eq!(*blocked, Op::Assume(Expr::Const(0)));
}

#[test]
fn formats_are_distinguished_by_how_texts_begin() {
    use crate::formats::Format;
    for (text, format) in [
        ("# x\n\n  thread t \r\n\tinitial q\n", Format::Trencher),
        ("thread t\ntransition a b noop\nend", Format::Trencher),
        ("thread t\n{ }", Format::Fence),
        ("thread t\nregs r init l begin end", Format::Fence),
        ("thread t\ninit l begin end", Format::Fence),
        ("thread t init l begin end", Format::Fence),
        ("shared x;\nthread t\ninitial", Format::Fence),
        ("", Format::Fence),
    ] {
        assert_eq!(Format::guess("-", text), format, "{text:?}");
        assert_eq!(Format::guess("a.txt", text), Format::Trencher);
        assert_eq!(Format::guess("a.fence", text), Format::Fence);
    }
}

const TEXT: &str = "#: robust tso no\n\n\tthread\tt\n  initial q\r\n  transition q  q read r 1\r\n\
    \ttransition q q.fenced write 1 0\n  transition q.fenced p mfence\n  transition p p read r 5\n\
    final q\nend # \n";

fn text() -> String {
    TEXT.replace("end # ", "end")
}

fn fence(loc: u32) -> Change {
    Change::Fence {
        thread: ThreadId(0),
        loc: LocId(loc),
        fence: Fence::Full,
    }
}

#[test]
fn a_fence_is_a_new_state_and_everything_else_stays() {
    let text = text();
    let program = program(&text);
    let written = rewrite(&text, &program, &[fence(0)]).expect("it can be written");
    let expected = text.replace(
        "  transition q  q read r 1\r\n\ttransition q q.",
        "  transition q q.fenced_ mfence\r\n  transition q.fenced_  q read r 1\r\n\
             \ttransition q.fenced_ q.",
    );
    assert_eq!(written, expected);
    let twice = rewrite(&text, &program, &[fence(2), fence(0), fence(0)]);
    assert!(
        twice
            .expect("it can be written")
            .contains("transition p.fenced p read")
    );
    let site = Site {
        thread: ThreadId(0),
        instr: 2_usize.into(),
    };
    let gone = rewrite(&text, &program, &[Change::Remove(site)]).expect("it can be written");
    assert_eq!(gone, text.replace("mfence", "noop"));
}

#[test]
fn changes_that_the_format_cannot_express_are_refused() {
    let text = text();
    let program = program(&text);
    let site = |instr: usize| Site {
        thread: ThreadId(0),
        instr: instr.into(),
    };
    let store = Change::Fence {
        thread: ThreadId(0),
        loc: LocId(0),
        fence: Fence::Store,
    };
    for (change, why) in [
        (Change::Exchange(site(1)), "no exchange"),
        (Change::Remove(site(1)), "of a different kind"),
        (store, "full fences only"),
    ] {
        let refused = rewrite(&text, &program, &[change]).expect_err("it cannot be written");
        assert!(refused.why.contains(why), "{refused}");
    }
    let split = thread(
        "transition 0 1 noop\ntransition 0 1 lock\ntransition 1 2 read r 0\ntransition 2 3 unlock",
    );
    let refused = rewrite(&split, &self::program(&split), &[fence(1)]);
    assert!(
        refused
            .expect_err("the lock would be held")
            .why
            .contains("lock")
    );
}
