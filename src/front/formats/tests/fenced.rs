//! Fences in the middle of expressions.

use super::{drawn, parse};

#[test]
fn a_fence_before_a_condition_is_executed_on_every_path_to_it() {
    assert_eq!(
        drawn("shared f, t; thread a { while (fence, f == 1 && (fence store, t)) { } f = 0; }"),
        "q0: mfence; goto q1;\n\
         q1: $f <- mem[f]; goto q2;\n\
         q2: assume $f == 1; goto q3;\n\
         q2: assume !($f == 1); goto q4;\n\
         q3: sfence; goto q5;\n\
         q5: $t <- mem[t]; goto q6;\n\
         q6: assume $t; goto q0;\n\
         q6: assume !$t; goto q4;\n\
         q4: mem[f] <- 0; goto q7;\n"
    );
    assert_eq!(
        drawn("shared f; thread a { do { f = 1; } while (fence(f), 0); if (barrier all, 1) { } }"),
        "q0: mem[f] <- 1; goto q1;\n\
         q1: fence f; goto q2;\n\
         q2: barrier all; goto q3;\n"
    );
}

#[test]
fn a_fence_before_a_value_is_where_the_value_is_evaluated() {
    assert_eq!(
        drawn(
            "shared x, s[2]; thread a { local r; r = (fence, x); r = x + (fence store, fence, x); \
             s[(fence, r)] = (fence, 1); x = r ? (fence, x) : 2; }"
        ),
        "q0: mfence; goto q1;\n\
         q1: r <- mem[x]; goto q2;\n\
         q2: $x <- mem[x]; goto q3;\n\
         q3: sfence; goto q4;\n\
         q4: mfence; goto q5;\n\
         q5: $x'2 <- mem[x]; goto q6;\n\
         q6: r <- $x + $x'2; goto q7;\n\
         q7: mfence; goto q8;\n\
         q8: mfence; goto q9;\n\
         q9: mem[2 + r] <- 1; goto q10;\n\
         q10: assume r; goto q11;\n\
         q10: assume !r; goto q12;\n\
         q11: mfence; goto q13;\n\
         q13: $if <- mem[x]; goto q14;\n\
         q12: $if <- 2; goto q14;\n\
         q14: mem[x] <- $if; goto q15;\n"
    );
}

#[test]
fn fences_are_rejected_outside_of_thread_code() {
    for (text, message) in [
        (
            "shared x; forbid (fence, x) == 1;",
            "this is not allowed in a property",
        ),
        ("shared x = (fence, 1);", "this is not a constant"),
        (
            "shared x; thread a { (fence, x) = 1; }",
            "this is a value, not a memory location",
        ),
        (
            "shared x; thread a { fence((fence, x)); }",
            "this is not a shared variable",
        ),
        (
            "thread a regs r init l begin l: r <- (fence, 1); goto m; end",
            "this is not allowed inside an expression",
        ),
        (
            "shared x; thread a { atomic { x = (barrier all, 1); } }",
            "`barrier all` inside an atomic block",
        ),
        (
            "shared x; thread a { x = (fence store); }",
            "expected `,`, found `)`",
        ),
    ] {
        let messages: Vec<String> = parse(text)
            .diagnostics
            .into_iter()
            .map(|d| d.message)
            .collect();
        assert_eq!(messages, [message], "{text}");
    }
}
