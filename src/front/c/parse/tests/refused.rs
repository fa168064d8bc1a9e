//! Texts with errors: the message and the line of each.

use super::{accepted, errors};

/// In a function: the line of the error is that of the statement, 1.
const STATEMENTS: &[(&str, &str)] = &[
    ("float _Complex c;", "complex numbers are not supported"),
    (
        "x = 1.5;",
        "this depends on the value of a floating-point number, which is not modelled",
    ),
    (
        "x = (int)(2 * (double)x);",
        "this depends on the value of a floating-point number, which is not modelled",
    ),
    (
        "if (x < 0.5) x = 0;",
        "this depends on the value of a floating-point number, which is not modelled",
    ),
    (
        "double d = 1; while (d) d -= 1;",
        "this depends on the value of a floating-point number, which is not modelled",
    ),
    ("x = 1.5 & 1;", "`double` and `int` have no operator `&`"),
    ("union u { int a; } v; struct u w;", "`u` is a union"),
    (
        "union u { int a; } v; v.b = 1;",
        "`union u` has no member `b`",
    ),
    (
        "union { int a, b; } v = { 1, 2 };",
        "too many values for `union`",
    ),
    (
        "struct b { int a[]; int n; } v;",
        "`a` is no last member, and has no length",
    ),
    (
        "union b { int n; int a[]; } v;",
        "an array in a union needs a length",
    ),
    (
        "struct b { int n; int a[]; }; struct c { struct b b; int n; } v;",
        "a member cannot end with an array without a length",
    ),
    (
        "static int a[x];",
        "the length of this array is not a constant, which only that of a whole local variable may be",
    ),
    (
        "int a[2][x];",
        "the length of this array is not a constant, which only that of a whole local variable may be",
    ),
    (
        "int a[x] = { 0 };",
        "an array whose length is no constant has no initialiser",
    ),
    (
        "int a[x]; int (*p)[2] = &a;",
        "the address of an array whose length is no constant is not supported",
    ),
    ("int a[0];", "the array `int []` has no length"),
    ("int a[-1];", "the length of an array is -1"),
    (
        "int a[1 << 40];",
        "the length of an array is a constant expression without a value: it shifts by a negative number or by all bits",
    ),
    (
        "int a[2147483647 + 1];",
        "the length of an array is a constant expression without a value: it overflows",
    ),
    (
        "int a[1 / 0];",
        "the length of an array is a constant expression without a value: it divides by 0",
    ),
    ("goto *p;", "computed `goto` is not supported"),
    ("p = &&out;", "addresses of labels are not supported"),
    (
        "int g(void) { return 1; }",
        "nested functions are not supported",
    ),
    ("goto nowhere;", "the function has no label `nowhere`"),
    ("again: again: ;", "the label `again` is there twice"),
    (
        "break;",
        "this `break` is outside of every loop and `switch`",
    ),
    (
        "switch (x) { default: continue; }",
        "this `continue` is outside of every loop",
    ),
    ("case 1: ;", "this label is outside of every `switch`"),
    (
        "switch (x) { case 1: case 1: ; }",
        "`case 1` is there twice",
    ),
    (
        "switch (x) { default: default: ; }",
        "`default` is there twice",
    ),
    (
        "switch (x) { case x: ; }",
        "the value of a case must be a constant",
    ),
    (
        "switch (p) { }",
        "the value of a `switch` must be an integer, not `int *`",
    ),
    ("undeclared = 1;", "unknown name `undeclared`"),
    (
        "int x __attribute__((unused, __cleanup__(done)));",
        "unknown function `done`",
    ),
    ("undefined(1);", "unknown function `undefined`"),
    ("BUG_ON(1);", "unknown function `BUG_ON`"),
    ("declared(1);", "unknown function `declared`"),
    ("later(1);", "`later` is used before it is declared"),
    ("callback = declared;", "unknown function `declared`"),
    ("foo_t y;", "unknown type `foo_t`"),
    ("foo_t *y;", "unknown type `foo_t`"),
    (
        "x = p;",
        "`int *` is not `int`, the type of the place assigned to",
    ),
    (
        "p = x;",
        "`int` is not `int *`, the type of the place assigned to",
    ),
    (
        "p = 1;",
        "`int` is not `int *`, the type of the place assigned to",
    ),
    (
        "x = s;",
        "`struct s` is not `int`, the type of the place assigned to",
    ),
    (
        "s = t;",
        "`struct t` is not `struct s`, the type of the place assigned to",
    ),
    (
        "defined(p);",
        "`int *` is not `int`, the type of parameter 1",
    ),
    (
        "defined(1, 2);",
        "`defined` takes 1 argument, and 2 are given",
    ),
    ("defined();", "`defined` takes 1 argument, and 0 are given"),
    (
        "pthread_mutex_lock();",
        "`pthread_mutex_lock` takes 1 argument, and 0 are given",
    ),
    (
        "__atomic_load_n(x, 5);",
        "argument 1 of `__atomic_load_n` must point to an integer or a pointer, not be `int`",
    ),
    (
        "atomic_load(&s);",
        "argument 1 of `atomic_load` points to a structure: `struct s *`",
    ),
    (
        "x = nothing();",
        "this has no value, where the place assigned to needs `int`",
    ),
    ("if (s) ;", "`struct s` is not a condition"),
    ("x = s + 1;", "`struct s` and `int` have no operator `+`"),
    ("x = p * 2;", "`int *` and `int` have no operator `*`"),
    ("x = p == x;", "`int *` is compared with `int`"),
    ("x = s.b;", "`struct s` has no member `b`"),
    ("x = p.a;", "`int *` has no members"),
    (
        "x = s->a;",
        "`->` needs a pointer to a structure, and this is a structure",
    ),
    ("x = *x;", "`int` is not a pointer"),
    ("x = x[0];", "`int` is neither an array nor a pointer"),
    ("x();", "`int` is not a function"),
    ("1 = x;", "only an object can be changed"),
    ("x + 1 = 2;", "only an object can be changed"),
    ("c = 1;", "this object is declared `const`"),
    ("c++;", "this object is declared `const`"),
    ("a = a;", "an array cannot be assigned"),
    ("&1;", "only objects and functions have an address"),
    ("struct missing m;", "`struct missing` is not defined"),
    (
        "x = sizeof(struct missing);",
        "`struct missing` is not defined",
    ),
    ("void v;", "`v` cannot have type `void`"),
    ("int x, x;", "`x` is declared twice"),
    ("asm(\"hlt\");", "unknown inline assembly `hlt`"),
    (
        "asm(\"\" : \"=r\"(x));",
        "inline assembly leaves this output without a value",
    ),
    (
        "return 1;",
        "this function returns `void`, and here a value",
    ),
    ("x = 1", "expected `;`, found `}`"),
    ("x = ;", "expected an expression, found `;`"),
    (
        "x = 99999999999999999999;",
        "`99999999999999999999` does not fit into 64 bits",
    ),
    (
        "if (x) int y = 1;",
        "a declaration cannot be the only statement here",
    ),
    ("else x = 1;", "this `else` belongs to no `if`"),
    ("int y[2] = { 1, 2, 3 };", "too many values for `int [2]`"),
    ("int y[2] = { [2] = 1 };", "`int [2]` has no element 2"),
    ("struct s y = { .b = 1 };", "`struct s` has no member `b`"),
    ("int y = { 1, 2 };", "too many values for one scalar"),
    (
        "static int y = 1; static int z = y;",
        "the initial value of a static object must be a constant or an address",
    ),
    (
        "_Static_assert(sizeof(int) == 8, \"no\");",
        "a static assertion fails: no",
    ),
    (
        "x = _Generic(x, char: 1, long: 2);",
        "no case of `_Generic` is `int`",
    ),
    (
        "x = _Generic(x, long: 1, long long: 2);",
        "two cases of `_Generic` are `long` here",
    ),
    (
        "callback = atomic_thread_fence;",
        "the library function `atomic_thread_fence` can only be called",
    ),
    ("__int128 y;", "128-bit integers are not supported"),
    ("unsigned signed y;", "these words together name no type"),
    (
        "enum { BIG = 4294967296 };",
        "`BIG` is 4294967296, which is no `int`",
    ),
    (
        "x = ({ int y = 1; });  ",
        "this has no value, where the place assigned to needs `int`",
    ),
];

/// Declarations of the file.
const DECLARATIONS: &[(&str, &str)] = &[
    (
        "main() { return 0; }",
        "the declaration of `main` has no type",
    ),
    ("x;", "the declaration of `x` has no type"),
    ("static y;", "the declaration of `y` has no type"),
    (
        "int f(int n, ...) { return va_arg(n, char); }",
        "no argument is read as `char` here",
    ),
    (
        "int f(a, b) { return a; }",
        "the declaration of `a` has no type",
    ),
    (
        "int f(void) { return 0; } int f(void) { return 1; }",
        "`f` is declared twice",
    ),
    (
        "int f(void); long f(void);",
        "`f` is declared with two types",
    ),
    ("int x; long x;", "`x` is declared with two types"),
    ("int x = 1; int x = 2;", "`x` is initialised twice"),
    ("int x; void x(void);", "`x` is declared twice"),
    (
        "extern int e; int f(void) { return e; }",
        "`e` is declared `extern`, and defined nowhere",
    ),
    (
        "struct s { int a; }; struct s { int b; };",
        "`struct s` is defined twice",
    ),
    ("struct s { int a; int a; };", "there are two members `a`"),
    ("struct s { struct s inner; };", "`struct s` is not defined"),
    ("struct s x;", "`struct s` is not defined"),
    ("enum e x;", "`enum e` is not defined"),
    ("int x[];", "the array `int []` has no length"),
    ("int f(void)[2];", "a function cannot return `int [2]`"),
    ("void x[2];", "an array cannot have elements of type `void`"),
    (
        "asm(\"nop\");",
        "inline assembly outside of functions is not supported",
    ),
    ("int f(void) { return 0; ", "the `}` for this is missing"),
    ("int f(void) { return (0]; }", "expected `)`, found `]`"),
    ("int x; }", "this `}` closes nothing"),
    ("int x y;", "expected `,` or `;`, found `y`"),
    ("int x = y;", "unknown name `y`"),
    ("int *x = (int *)&x + missing;", "unknown name `missing`"),
    (
        "int x = 2147483647 + 1;",
        "this constant expression has no value: it overflows",
    ),
    ("int while;", "`while` is a keyword, not a name"),
    ("void f(void x);", "a parameter cannot have type `void`"),
];

const AROUND: &str = "struct s { int a; } s; struct t { int a; } t; int x; int *p; const int c = 1; int a[2]; int (*callback)(int); void nothing(void) { } int defined(int n) { return n; } int declared(int n); ";

#[test]
fn each_refused_statement_has_its_message_and_its_line() {
    compare(STATEMENTS, 4, |statement| {
        format!("{AROUND}\nvoid f(void) {{\nx = 0;\n{statement}\n}}\nvoid later(int n) {{ }}")
    });
}

#[test]
fn each_refused_declaration_has_its_message_and_its_line() {
    compare(DECLARATIONS, 2, |declaration| {
        format!("int before;\n{declaration}\n")
    });
}

fn compare(table: &[(&str, &str)], line: usize, text: impl Fn(&str) -> String) {
    let mut offences = Vec::new();
    for (refused, expected) in table {
        let found = errors(&text(refused));
        if found != [(line, (*expected).to_owned())] {
            offences.push(format!("{refused}: {found:?}"));
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn an_error_ends_one_statement() {
    let text = "void f(int *p) {
        struct { int a : 33; } v;
        if oops { p = 0; } else { *p = 1; }
        struct { int a : 34; int b; } s;
        s.b = 1; s.a = 2;
        int g(int n) { return n; }
        *p = missing;
    }";
    let lines: Vec<usize> = errors(text).into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [2, 3, 4, 6, 7]);
}

#[test]
fn what_is_around_the_refused_statements_is_accepted() {
    accepted(&format!(
        "{AROUND}\nvoid f(void) {{ x = 0; }}\nvoid later(int n) {{ }}"
    ));
}

#[test]
fn all_errors_of_a_text_are_reported_at_once() {
    let text = "int x;
        float _Complex y;
        struct s { int a : 33; int b; };
        void f(int a) {
            x = nothing1;
            if (nothing2) { x = nothing3; } else x = nothing4;
            for (int i = nothing5; i < 3; i++) { x = nothing6; }
            while (nothing7) x++;
            y = 1;
            x = nothing8 + (3;
        }";
    // Unpaired brackets end everything.
    assert_eq!(
        errors(text),
        [(10, "expected `)`, found `}`".to_owned())].map(|(_, m)| (11, m))
    );
    let text = text.replace("(3;", "3;");
    let lines: Vec<usize> = errors(&text).into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [2, 3, 5, 6, 6, 6, 7, 7, 8, 10]);
}

#[test]
fn errors_of_a_declaration_are_not_repeated_where_its_name_is_used() {
    let text = "__int128 g(__int128 a) { return a; }
        __int128 d;
        typedef __int128 real;
        void f(void) {
            real r;
            d = g(d);
            int a[d];
        }
        real h(real a) { return a; }";
    let lines: Vec<usize> = errors(text).into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [1, 2, 3]);
}

#[test]
fn members_of_a_union_are_used_together_where_one_begins_with_the_other() {
    let text = |members: &str, uses: &str| {
        format!("union u {{ {members} }};\nvoid f(union u *p) {{\n{uses}\n}}\n")
    };
    let structures =
        "struct { int k; } a; struct { int k, n; } b; struct { int k; long n; } c; double d;";
    for uses in [
        "p->a.k = 1;",
        "p->a.k = p->b.n;",
        "p->a.k = 1; p->c.n = 2;",
        "p->d = 1.5;",
    ] {
        accepted(&text(structures, uses));
    }
    // Integers of different sizes are parts of one word.
    accepted(&text("int i; long l;", "p->i = 1;\np->l = 2;"));
    let halves = "unsigned w; struct { unsigned short h, t; };";
    accepted(&text(halves, "p->w = 1;\np->t = 2;"));
    for (members, uses) in [
        (structures, "p->b.n = 1;\np->c.n = 2;"),
        (structures, "p->a.k = 1;\np->d = 2;"),
        ("int i; float f;", "p->i = 1;\np->f = 2;"),
    ] {
        let found = errors(&text(members, uses));
        assert_eq!(found.len(), 1, "{members} {uses}: {found:?}");
        assert!(
            found[0].0 == 4 && found[0].1.contains("share memory"),
            "{found:?}"
        );
    }
}

#[test]
fn unknown_names_come_with_the_nearest_one() {
    let (_, diagnostics) =
        super::read("void f(void) { int counter; conter = 1; pthread_mutex_look(0); }");
    let labels: Vec<&str> = diagnostics.iter().map(|one| one.label.as_str()).collect();
    assert_eq!(
        labels,
        [
            "did you mean `counter`?",
            "did you mean `pthread_mutex_lock`?"
        ]
    );
}

#[test]
fn what_is_nested_too_deeply_is_refused() {
    let deep = |open: &str, inner: &str, close: &str, count: usize| {
        format!(
            "int x; void f(void) {{ {}{inner}{}; }}",
            open.repeat(count),
            close.repeat(count)
        )
    };
    let levels = "this is nested more than 200 levels deep".to_owned();
    for (open, inner, close) in [
        ("(", "x", ")"),
        ("x = ", "1", ""),
        ("!", "x", ""),
        ("{", "", "}"),
        ("if (x) ", "x = 1", ""),
        ("x ? x : ", "x", ""),
        ("({", "x;", ";})"),
        ("(int)", "x", ""),
    ] {
        assert!(errors(&deep(open, inner, close, 60)).is_empty(), "{open}");
        let messages: Vec<String> = errors(&deep(open, inner, close, 20_000))
            .into_iter()
            .map(|(_, message)| message)
            .collect();
        let count = messages
            .iter()
            .filter(|message| **message == levels)
            .count();
        assert_eq!(count, 1, "{open} {messages:?}");
    }
    let chain = format!("int x = 0{};", " + 1".repeat(20_000));
    assert_eq!(
        errors(&chain)[0].1,
        "this expression has more than 1000 operators"
    );
    for declarator in ["*", "("] {
        let text = format!("int {}x;", declarator.repeat(20_000));
        assert!(!errors(&text).is_empty());
    }
    let doubling: Vec<String> = (1..100)
        .map(|n| format!("typedef void (*t{n})(t{0}, t{0});", n - 1))
        .collect();
    let doubling = doubling.concat();
    let text = format!("typedef int t0;{doubling}");
    assert_eq!(errors(&text)[0].1, "this type is nested too deeply");
}
