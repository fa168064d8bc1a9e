//! Where threads may stay in atomic blocks.

use fencepost_front::formats::parse;

fn stays(body: &str, reads: usize) -> bool {
    let text = format!("shared x, y, a[2]; thread t {{ local r, s; atomic {{ {body} }} }}");
    let program = parse(&text).into_program().expect("it parses");
    program.may_stay_in_block(reads)
}

#[test]
fn a_block_may_stay_where_it_waits_after_enough_reads() {
    for (body, from) in [
        ("r = x; s = y;", None),
        ("assume(s == 0); r = x;", Some(0)),
        ("r = x; assume(r == 0); y = 1;", Some(1)),
        ("r = x; s = y; assume(r == s);", Some(2)),
        ("r = x; if (r == 0) { s = y; x = 1; } else { y = 2; }", None),
        ("r = x; if (r == 0) { s = y; assume(s == 1); }", Some(2)),
        ("r = x; s = a[r]; y = 1;", Some(1)),
        ("r = x; s = y; while (s != 0) { s = s - 1; }", Some(2)),
        ("r = xchg(x, 1); assume(r == 0);", Some(1)),
    ] {
        for reads in 0..4 {
            let expected = from.is_some_and(|from| reads <= from);
            assert_eq!(stays(body, reads), expected, "{body} {reads}");
        }
    }
}
