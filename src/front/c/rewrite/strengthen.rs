//! Atomic stores as locked exchanges: a stronger memory order, or the stronger macro of the kernel.
//!
//! ```text
//! atomic_store_explicit(&x, 1, memory_order_release)  →  atomic_store_explicit(&x, 1, memory_order_seq_cst)
//! WRITE_ONCE(x, 1)                                    →  smp_store_mb(x, 1)
//! ```
//!
//! Compilers for x86 make a sequentially consistent store one `xchg`, which is cheaper than a store and
//! a fence.
//!
//! **Absent.** Plain stores, which would need another type; orders that are not written as constants.

use crate::c::lex::{Kind, Lexeme, lex};
use crate::c::preprocess::MAIN;
use crate::text::Span;

/// What replaces an operation's name, and its object.
enum Form {
    /// The last argument is a memory order.
    Order,
    /// A macro whose first argument is the object itself.
    Object(&'static str),
    /// A function whose first argument points to the object, and the macro that takes the object.
    Pointer(&'static str),
    /// Another name, with the same arguments.
    Name(&'static str),
}

const FORMS: [(&str, Form); 12] = [
    ("atomic_store_explicit", Form::Order),
    ("atomic_exchange_explicit", Form::Order),
    ("atomic_flag_clear_explicit", Form::Order),
    ("__atomic_store_n", Form::Order),
    ("__atomic_exchange_n", Form::Order),
    ("__atomic_clear", Form::Order),
    ("WRITE_ONCE", Form::Object("smp_store_mb")),
    ("RCU_INIT_POINTER", Form::Object("smp_store_mb")),
    ("rcu_assign_pointer", Form::Object("smp_store_mb")),
    ("smp_store_release", Form::Pointer("smp_store_mb")),
    ("atomic_set", Form::Name("atomic_xchg")),
    ("atomic_set_release", Form::Name("atomic_xchg")),
];

/// The fences that a text may have, and those that are stronger.
const FENCES: [(&str, Form); 4] = [
    ("atomic_thread_fence", Form::Order),
    ("__atomic_thread_fence", Form::Order),
    ("smp_wmb", Form::Name("smp_mb")),
    ("dma_wmb", Form::Name("smp_mb")),
];

/// The replacements that make the store in this text, a call and nothing else, an exchange; `None` if
/// there are none.
pub(crate) fn strengthened(text: &str) -> Option<Vec<(Span, String)>> {
    stronger(text, &FORMS)
}

/// The same for a fence that becomes a full one.
pub(crate) fn strengthened_fence(text: &str) -> Option<Vec<(Span, String)>> {
    stronger(text, &FENCES)
}

fn stronger(text: &str, forms: &[(&str, Form)]) -> Option<Vec<(Span, String)>> {
    let lexemes = lex(text, MAIN).lexemes;
    let call = match &lexemes[..] {
        [call @ .., semicolon] if semicolon.is(";") => call,
        call => call,
    };
    let [name, open, arguments @ .., close] = call else {
        return None;
    };
    if name.kind != Kind::Word || !open.is("(") || !close.is(")") {
        return None;
    }
    let arguments = separated(arguments)?;
    let (_, form) = forms.iter().find(|(own, _)| *own == &*name.text)?;
    match form {
        Form::Order => {
            let [order] = arguments.last()? else {
                return None;
            };
            let stronger = if order.text.starts_with("memory_order_") {
                "memory_order_seq_cst"
            } else if order.text.starts_with("__ATOMIC_") {
                "__ATOMIC_SEQ_CST"
            } else {
                return None;
            };
            Some(vec![(span(order), stronger.to_owned())])
        }
        Form::Object(stronger) | Form::Name(stronger) => {
            Some(vec![(span(name), (*stronger).to_owned())])
        }
        Form::Pointer(stronger) => {
            let (first, last) = (arguments.first()?.first()?, arguments.first()?.last()?);
            let mut edits = vec![(span(name), (*stronger).to_owned())];
            match arguments.first()? {
                [and, _] if and.is("&") => edits.push((span(and), String::new())),
                _ => {
                    edits.push((span(first).start..span(first).start, "*(".to_owned()));
                    edits.push((span(last).end..span(last).end, ")".to_owned()));
                }
            }
            Some(edits)
        }
    }
}

fn span(lexeme: &Lexeme) -> Span {
    lexeme.place.start as usize..lexeme.place.end as usize
}

/// The arguments of a call; `None` if its parenthesis closes before the end.
fn separated(lexemes: &[Lexeme]) -> Option<Vec<&[Lexeme]>> {
    let mut depth = 0_usize;
    for lexeme in lexemes {
        if ["(", "[", "{"].iter().any(|open| lexeme.is(open)) {
            depth += 1;
        } else if [")", "]", "}"].iter().any(|close| lexeme.is(close)) {
            depth = depth.checked_sub(1)?;
        }
    }
    let mut depth = 0_usize;
    let ends = |lexeme: &Lexeme| {
        if ["(", "[", "{"].iter().any(|open| lexeme.is(open)) {
            depth += 1;
        } else if [")", "]", "}"].iter().any(|close| lexeme.is(close)) {
            depth -= 1;
        }
        depth == 0 && lexeme.is(",")
    };
    Some(lexemes.split(ends).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str) -> Option<String> {
        let mut edits = strengthened(text)?;
        edits.sort_by_key(|(span, _)| span.start);
        let mut made = text.to_owned();
        for (span, new) in edits.into_iter().rev() {
            made.replace_range(span, &new);
        }
        Some(made)
    }

    #[test]
    fn a_store_gets_a_stronger_order_or_macro() {
        for (text, stronger) in [
            (
                "atomic_store_explicit(&x, f(1, 2), memory_order_release)",
                "atomic_store_explicit(&x, f(1, 2), memory_order_seq_cst)",
            ),
            (
                "__atomic_store_n(&x, 1, __ATOMIC_RELAXED);",
                "__atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);",
            ),
            ("WRITE_ONCE(a[i], 1)", "smp_store_mb(a[i], 1)"),
            ("smp_store_release(&x, 1)", "smp_store_mb(x, 1)"),
            ("smp_store_release(&x[1], 1)", "smp_store_mb(*(&x[1]), 1)"),
            ("smp_store_release(p, 1)", "smp_store_mb(*(p), 1)"),
            ("atomic_set_release(&v, 1)", "atomic_xchg(&v, 1)"),
        ] {
            assert_eq!(made(text).as_deref(), Some(stronger));
        }
    }

    #[test]
    fn other_texts_stay() {
        for text in [
            "x = 1",
            "PUBLISH(x)",
            "atomic_store_explicit(&x, 1, order)",
            "atomic_store_explicit(&x, 1, memory_order_release), y = (1)",
            "",
            "WRITE_ONCE",
            "(WRITE_ONCE(x, 1))",
        ] {
            assert_eq!(made(text), None, "{text}");
        }
    }
}
