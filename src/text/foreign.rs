//! Words and forms of other languages, and what to write instead: C, Rust, the kernel's macros, litmus
//! tests and pseudocode.
//!
//! They are looked up where a text is in error, before anything else is said about it. So a program may
//! use each of these words as a name.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "this code handles a few tokens; a new one does not concern it"
)]

use super::Diagnostic;
use super::Span;
use super::expression::Token;

/// What to write instead of a statement or declaration that starts with this word.
const WORDS: &[(&[&str], &str)] = &[
    (
        &[
            "int",
            "bool",
            "char",
            "long",
            "short",
            "unsigned",
            "auto",
            "let",
            "var",
            "u8",
            "u32",
            "u64",
            "i32",
            "i64",
            "usize",
            "uint32_t",
            "uint64_t",
            "volatile",
            "register",
            "_Atomic",
            "atomic_int",
            "atomic_bool",
        ],
        "write `local r = 0;` in a thread, or `shared x = 0;` outside; all values are 32-bit integers",
    ),
    (
        &[
            "fn", "def", "void", "func", "function", "fun", "inline", "static",
        ],
        "write `proc f(a) { … }` for a procedure, or `thread t { … }` for a thread",
    ),
    (
        &["struct", "union", "class", "typedef"],
        "there are no structures; use several `shared` variables, or arrays with constant indices",
    ),
    (&["enum"], "write `const A = 0, B = 1;`"),
    (&["define"], "write `const N = 3;`"),
    (
        &["switch", "case", "match"],
        "write `if (e == 1) { … } else if (e == 2) { … } else { … }`",
    ),
    (&["elif", "elseif", "elsif"], "write `else if (e) { … }`"),
    (
        &["then"],
        "nothing is written between the condition and the statement",
    ),
    (
        &["begin", "end", "fi", "endif", "od", "done"],
        "blocks are written in braces: `{ … }`",
    ),
    (
        &["until", "repeat"],
        "write `while (!(e)) { … }`, or `do { … } while (!(e));`",
    ),
    (&["forever"], "write `loop { … }`"),
    (
        &["spawn", "process", "proctype", "par", "fork"],
        "write `thread t { … }` outside of other threads",
    ),
    (&["not"], "write `!`"),
    (&["and"], "write `&&`"),
    (
        &["include", "use", "import"],
        "there is no preprocessor, and nothing to include",
    ),
    (&["nop", "pass"], "write `skip;`"),
    (
        &["await_while"],
        "write `while (e) { }`, or `await(e);` to wait until `e` holds",
    ),
];

/// What to write instead of a call of this name, or of the name alone.
const CALLS: &[(&[&str], &str)] = &[
    (
        &[
            "mfence",
            "MFENCE",
            "smp_mb",
            "mb",
            "dmb",
            "sync",
            "__sync_synchronize",
            "atomic_thread_fence",
            "_mm_mfence",
            "thread_fence",
            "memory_barrier",
            "full_fence",
        ],
        "the full fence is `fence;`",
    ),
    (
        &["sfence", "smp_wmb", "wmb", "_mm_sfence"],
        "the fence between stores is `fence store;`",
    ),
    (
        &[
            "lfence",
            "smp_rmb",
            "rmb",
            "_mm_lfence",
            "compiler_fence",
            "atomic_signal_fence",
        ],
        "loads stay in order here, so this fence is left out; the full fence is `fence;`",
    ),
    (
        &[
            "lock",
            "acquire",
            "mutex_lock",
            "spin_lock",
            "pthread_mutex_lock",
        ],
        "declare `proc lock(m) { while (xchg(*m, 1)) { } }` and write `lock(&m);`",
    ),
    (
        &[
            "unlock",
            "release",
            "mutex_unlock",
            "spin_unlock",
            "pthread_mutex_unlock",
        ],
        "declare `proc unlock(m) { *m = 0; }` and write `unlock(&m);`",
    ),
    (
        &[
            "compare_exchange",
            "compare_exchange_weak",
            "compare_exchange_strong",
            "cmpxchg",
            "compare_and_swap",
            "atomic_compare_exchange_strong",
            "atomic_compare_exchange_weak",
            "CAS",
            "__sync_val_compare_and_swap",
            "__sync_bool_compare_and_swap",
        ],
        "write `cas(x, old, new)`, which gives the value before: `cas(x, 0, 1) == 0` is success",
    ),
    (
        &[
            "swap",
            "exchange",
            "atomic_exchange",
            "lock_xchg",
            "test_and_set",
            "XCHG",
            "smp_store_mb",
            "__sync_lock_test_and_set",
        ],
        "write `xchg(x, v)`, which gives the value before",
    ),
    (
        &[
            "faa",
            "FAA",
            "fetch_and_add",
            "atomic_fetch_add",
            "xadd",
            "fetch_add_relaxed",
        ],
        "write `fetch_add(x, v)`, which gives the value before",
    ),
    (
        &[
            "load",
            "atomic_load",
            "READ_ONCE",
            "smp_load_acquire",
            "atomic_load_explicit",
        ],
        "every mention of a shared variable is a load: write `r = x;`",
    ),
    (
        &[
            "store",
            "atomic_store",
            "WRITE_ONCE",
            "smp_store_release",
            "atomic_store_explicit",
        ],
        "an assignment to a shared variable is a store: write `x = 1;`",
    ),
    (
        &["printf", "print", "println", "puts"],
        "nothing is printed; `assert(e, \"text\");` reports",
    ),
    (
        &["__VERIFIER_assume", "require", "requires", "when", "Assume"],
        "write `assume(e);`, or `await(e);` to wait until `e` holds",
    ),
    (
        &["wait", "wait_until", "wait_for", "block_until"],
        "write `await(e);`",
    ),
    (
        &[
            "__VERIFIER_assert",
            "Assert",
            "ensure",
            "ensures",
            "invariant",
        ],
        "write `assert(e);` in a thread, or `forbid !(e);` outside",
    ),
    (
        &["random", "rand", "__VERIFIER_nondet_int", "choose_int"],
        "write `nondet(0, 3)`, or `nondet()`",
    ),
];

/// What to write instead of this name as a value.
const VALUES: &[(&[&str], &str)] = &[
    (
        &["null", "NULL", "nil", "nullptr", "None"],
        "write `0`, which is no address",
    ),
    (&["TRUE", "True"], "write `true`"),
    (&["FALSE", "False"], "write `false`"),
    (
        &[
            "SeqCst",
            "seq_cst",
            "Acquire",
            "Release",
            "AcqRel",
            "Relaxed",
            "memory_order_seq_cst",
            "memory_order_acquire",
            "memory_order_release",
            "memory_order_relaxed",
        ],
        "there are no memory orders: loads and stores are plain, and the full fence is `fence;`",
    ),
];

/// The methods of atomic variables.
const METHODS: [&str; 10] = [
    "load",
    "store",
    "swap",
    "exchange",
    "compare_exchange",
    "compare_exchange_weak",
    "compare_exchange_strong",
    "fetch_add",
    "lock",
    "unlock",
];

fn look_up(table: &[(&[&str], &'static str)], word: &str) -> Option<&'static str> {
    let mut rows = table.iter();
    let row = rows.find(|(words, _)| words.contains(&word))?;
    Some(row.1)
}

/// What to write instead of a name that is used as a statement of its own.
pub(crate) fn statement(word: &str) -> Option<&'static str> {
    look_up(CALLS, word).or_else(|| look_up(WORDS, word))
}

/// What to write instead of the call of an undeclared procedure.
pub(crate) fn call(word: &str) -> Option<&'static str> {
    statement(word)
}

/// What to write instead of an undeclared name.
pub(crate) fn value(word: &str) -> Option<&'static str> {
    look_up(VALUES, word)
}

/// The error for a word of another language.
pub(crate) fn foreign_word(word: &str, span: Span, instead: &str) -> Diagnostic {
    Diagnostic::error(format!("`{word}` is not a word of this language"), span).label(instead)
}

/// The error for a word or form of another language at the token `at`, where the text cannot be
/// parsed; `start` is the first token of the statement.
pub(crate) fn foreign(tokens: &[(Token<'_>, Span)], start: usize, at: usize) -> Option<Diagnostic> {
    let before = at.checked_sub(1).filter(|before| *before >= start);
    let words = [Some(start), before, Some(at)];
    form(tokens, start, at).or_else(|| {
        words.into_iter().flatten().find_map(|at| {
            let (Token::Ident(word), span) = tokens.get(at)? else {
                return None;
            };
            let instead = look_up(WORDS, word)
                .or_else(|| look_up(CALLS, word).filter(|_| starts_call(tokens, at)))?;
            Some(foreign_word(word, span.clone(), instead))
        })
    })
}

/// Whether the name here is called, or is a statement of its own.
fn starts_call(tokens: &[(Token<'_>, Span)], at: usize) -> bool {
    matches!(
        tokens.get(at + 1),
        Some((Token::LeftParen | Token::Semicolon, _))
    )
}

/// Whether this token is in the condition of a statement or property.
fn is_in_condition(tokens: &[(Token<'_>, Span)], start: usize, at: usize) -> bool {
    let mut depth = 0_usize;
    for before in (start..at).rev() {
        match tokens[before].0 {
            Token::RightParen => depth += 1,
            Token::LeftParen if depth > 0 => depth -= 1,
            Token::LeftParen => {
                let word = before.checked_sub(1).map(|word| tokens[word].0);
                if matches!(
                    word,
                    Some(
                        Token::If
                            | Token::While
                            | Token::Assert
                            | Token::Assume
                            | Token::Ident("await")
                    )
                ) {
                    return true;
                }
            }
            _ => {}
        }
    }
    matches!(
        tokens.get(start),
        Some((Token::Forbid | Token::Final | Token::Exists, _))
    )
}

/// The error for a form that the tokens up to this one have.
fn form(tokens: &[(Token<'_>, Span)], start: usize, at: usize) -> Option<Diagnostic> {
    let token = |at: usize| tokens.get(at).map(|(token, _)| *token);
    let back = |n: usize| at.checked_sub(n).filter(|at| *at >= start).and_then(token);
    let found = token(at)?;
    let span = |first: usize| tokens[at - first].1.start..tokens[at].1.end;
    let adjacent = at > start && tokens[at - 1].1.end == tokens[at].1.start;
    let instead = |message: &str, span: Span, label: String| {
        Some(Diagnostic::error(message.to_owned(), span).label(label))
    };
    match (back(1), found) {
        (Some(Token::Ident(method)), Token::LeftParen)
            if back(2) == Some(Token::Dot) && METHODS.contains(&method) =>
        {
            let Some(Token::Ident(cell)) = back(3) else {
                return None;
            };
            let words = match method {
                "load" => format!("every mention of `{cell}` is a load: write `{cell}`"),
                "store" => format!("write `{cell} = v;`"),
                "swap" | "exchange" => format!("write `xchg({cell}, v)`"),
                "fetch_add" => format!("write `fetch_add({cell}, v)`"),
                "lock" | "unlock" => look_up(CALLS, method)?.to_owned(),
                _ => format!("write `cas({cell}, old, new)`, which gives the value before"),
            };
            instead("shared variables have no methods", span(1), words)
        }
        (Some(Token::Barrier), Token::LeftParen) => instead(
            "`barrier()` is not a fence of this language",
            span(1),
            "the full fence is `fence;`, and `barrier all;` drains every thread's buffer"
                .to_owned(),
        ),
        (Some(Token::Colon), Token::Equals) if adjacent => instead(
            "`:=` is not an operator of this language",
            span(1),
            "write `=`".to_owned(),
        ),
        (Some(Token::Less), Token::Greater) if adjacent => instead(
            "`<>` is not an operator of this language",
            span(1),
            "write `!=`".to_owned(),
        ),
        (Some(Token::Minus), Token::Greater) if adjacent => instead(
            "`->` is not an operator of this language",
            span(1),
            "there are no structures; `p[1]` is the cell after the one at the address `p`"
                .to_owned(),
        ),
        (Some(Token::EqEq | Token::NotEq), Token::Equals) if adjacent => instead(
            "this is not an operator of this language",
            span(1),
            "write `==` or `!=`".to_owned(),
        ),
        (Some(Token::AndAnd | Token::OrOr), Token::Equals) if adjacent => instead(
            "this is not an operator of this language",
            span(1),
            "write `x = x && e;` or `x = x || e;`".to_owned(),
        ),
        (_, Token::Equals) if is_in_condition(tokens, start, at) => instead(
            "`=` assigns, and this is a condition",
            span(0),
            "write `==` to compare".to_owned(),
        ),
        (Some(Token::Ident(thread)), Token::Colon)
            if matches!(
                token(start),
                Some(Token::Exists | Token::Forbid | Token::Final)
            ) =>
        {
            instead(
                "registers of threads are written with a dot",
                span(1),
                format!("write `{thread}.r == 0 && …`"),
            )
        }
        (Some(Token::Ident(_) | Token::Int(_) | Token::RightParen), Token::Or) => instead(
            "`or` separates the branches of `choose`",
            span(0),
            "write `||`".to_owned(),
        ),
        (Some(Token::For), Token::Ident(_)) => instead(
            "the clauses of a `for` are in parentheses",
            span(0),
            "write `for (i = 0; i < N; i++) { … }`".to_owned(),
        ),
        _ => None,
    }
}
