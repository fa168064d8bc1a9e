//! Bit-fields, and variables with something called at their end.

use super::{accepted, errors};

const REFUSED: &[(&str, &str)] = &[
    (
        "struct b { int a : 33; } v;",
        "a bit-field of this type has 1 to 32 bits",
    ),
    (
        "struct b { int a : 0; } v;",
        "a bit-field of this type has 1 to 32 bits",
    ),
    (
        "struct b { _Bool : 2; } v;",
        "a bit-field of this type has 0 to 1 bits",
    ),
    (
        "struct b { int *a : 3; } v;",
        "a bit-field cannot have type `int *`",
    ),
    (
        "struct b { int a : 3, a : 4; } v;",
        "there are two members `a`",
    ),
    (
        "struct b { int a : 3; } v; int *p = &v.a;",
        "a bit-field has no address",
    ),
    (
        "struct b { int a : 3; } v; int n = __builtin_offsetof(struct b, a);",
        "a bit-field has no offset",
    ),
    (
        "struct b { unsigned long a : 30, b : 30; } v; void f(void) { v.b = 1; }",
        "this bit-field and those in the same bytes are no integer of 8, 16 or 32 bits",
    ),
    (
        "struct b { unsigned a : 24; char b; } v = { 1 };",
        "this bit-field and those in the same bytes are no integer of 8, 16 or 32 bits",
    ),
    (
        "void end(int *p); void f(void) { int x __attribute__((cleanup(end))); goto out; out:; }",
        "a `goto` where a variable has the attribute `cleanup` is not supported",
    ),
];

#[test]
fn refused_bit_fields_have_their_messages() {
    for (text, message) in REFUSED {
        let found = errors(text);
        assert!(
            found.iter().any(|(_, found)| found == message),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn bit_fields_without_use_refuse_nothing() {
    accepted(
        "struct b { unsigned long a : 40, b : 24; unsigned : 0; int c : 3, : 5, d; } v; int f(void) { return v.d; }",
    );
}
