//! Declarators and the types that they give.

use super::{accepted, read};
use crate::c::check::Checker;
use crate::lower::typed::{Type, Unit};
use crate::text::Place;
use std::collections::BTreeMap;

/// The type as messages spell it.
fn show(unit: &Unit, ty: &Type) -> String {
    let mut diagnostics = Vec::new();
    let to_span = |place: Place| place.start as usize..place.end as usize;
    let models = BTreeMap::new();
    let mut checker = Checker::new(&mut diagnostics, &to_span, &models);
    checker.unit = unit.clone();
    checker.show(ty)
}

#[test]
fn declarators_have_the_types_that_c_gives_them() {
    for (declaration, expected) in [
        ("int x;", "int"),
        ("unsigned x;", "unsigned int"),
        ("long unsigned int x;", "unsigned long"),
        ("long long x;", "long"),
        ("short signed x;", "short"),
        ("char x;", "char"),
        ("signed char x;", "char"),
        ("unsigned char x;", "unsigned char"),
        ("_Bool x;", "_Bool"),
        ("int *x;", "int *"),
        ("const int *const x;", "int *"),
        ("volatile int x;", "volatile int"),
        ("int *volatile x;", "int *volatile"),
        ("_Atomic int x;", "_Atomic int"),
        ("_Atomic(int) x;", "_Atomic int"),
        ("_Atomic(int *) x;", "int *_Atomic"),
        ("int *_Atomic x;", "int *_Atomic"),
        ("_Atomic(int) *x;", "_Atomic int *"),
        (
            "_Atomic volatile unsigned long x;",
            "_Atomic volatile unsigned long",
        ),
        ("int x[3];", "int [3]"),
        ("int x[2][3];", "int [2][3]"),
        ("int *x[3];", "int *[3]"),
        ("int (*x)[3];", "int (*)[3]"),
        ("int (*x)(void);", "int (*)(void)"),
        ("int (*x)(int, char *);", "int (*)(int, char *)"),
        ("int (*x[4])(void);", "int (*[4])(void)"),
        ("void *(*x)(void *);", "void *(*)(void *)"),
        ("int (*(*x)(int))[2];", "int (*(*)(int))[2]"),
        ("void (*(*x)(void))(int);", "void (*(*)(void))(int)"),
        ("int (x);", "int"),
        ("int ((x))[2];", "int [2]"),
        (
            "void (*x)(int a[3], int f(int));",
            "void (*)(int *, int (*)(int))",
        ),
        ("typedef int T; T x;", "int"),
        ("typedef int T[3]; T *x;", "int (*)[3]"),
        ("typedef int T[3]; volatile T x;", "volatile int [3]"),
        ("typedef int *T; T x[2];", "int *[2]"),
        ("typedef void *F(void *); F *x;", "void *(*)(void *)"),
        ("struct s { int a; } x;", "struct s"),
        ("struct s { struct s *next; } x;", "struct s"),
        ("typedef struct { int a; } s; s x;", "struct s"),
        ("struct s { int a; }; struct s *x[2];", "struct s *[2]"),
        ("enum e { A, B } x;", "unsigned int"),
        ("enum e { A = -1, B } x;", "int"),
        ("enum { N = 2 + 3 }; int x[N];", "int [5]"),
        ("int x[sizeof(long)];", "int [8]"),
        ("int x[] = { 1, 2, 3 };", "int [3]"),
        ("int x[] = { [4] = 1, 2 };", "int [6]"),
        ("int x[][2] = { 1, 2, 3 };", "int [2][2]"),
        ("char x[] = \"abc\";", "char [4]"),
        ("int y; __typeof__(y) *x;", "int *"),
        ("volatile int y; __typeof__(&y) x;", "volatile int *"),
        ("__typeof__(int (*)[2]) x;", "int (*)[2]"),
        ("__extension__ int x __attribute__((aligned(64)));", "int"),
        ("_Alignas(64) static int x;", "int"),
        ("_Thread_local int x;", "int"),
        ("static __thread int x;", "int"),
        ("__fencepost_mutex x;", "pthread_mutex_t"),
        ("typedef __fencepost_thread T; T x[2];", "pthread_t [2]"),
        ("struct mutex x;", "pthread_mutex_t"),
        ("int *restrict x;", "int *"),
    ] {
        let unit = accepted(declaration);
        let object = unit.objects.iter().find(|object| object.name == "x");
        let object = object.unwrap_or_else(|| panic!("{declaration}"));
        assert_eq!(show(&unit, &object.ty), expected, "{declaration}");
    }
}

#[test]
fn functions_have_their_parameters_as_first_locals() {
    let unit = accepted("int f(int a, char b[4], int g(void)) { int c; return a; }");
    let function = &unit.functions[0];
    assert_eq!(function.parameters, 3);
    let types: Vec<String> = function
        .locals
        .iter()
        .map(|local| show(&unit, &local.ty))
        .collect();
    assert_eq!(types, ["int", "char *", "int (*)(void)", "int"]);
}

#[test]
fn functions_are_found_before_their_bodies_are_parsed() {
    let unit = accepted(
        "typedef int T;
         static __attribute__((always_inline)) inline _Atomic(int) *a(void);
         void *(*b(T n))(void *); int (c)(void); T d(volatile int n); struct s *e();
         void f(void) { a(); b(1); c(); d(1); e(1, 2); }
         static __attribute__((always_inline)) inline _Atomic(int) *a(void) { return 0; }
         void *(*b(T n))(void *) { return 0; }
         int (c)(void) { return 0; }
         T (g)(void) { return 0; }
         int (h(void)) { return 0; }
         T d(int n) __attribute__((noinline)) { return n; }
         struct __attribute__((aligned(4))) s { int x; } s = (struct s){ 1 };
         struct s *e() { return &s; }",
    );
    let names: Vec<&str> = unit.functions.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["f", "a", "b", "c", "g", "h", "d", "e"]);
}

#[test]
fn a_typedef_is_hidden_by_a_variable_of_its_name() {
    accepted("typedef int T; void f(void) { int T = 2; int y = T * T; { T = y; } } T z;");
    let (unit, _) = read("typedef int T; void f(void) { T T = 2; T x; }");
    assert!(unit.is_none());
}

#[test]
fn members_of_anonymous_structures_are_members_with_the_offsets_of_c() {
    let unit = accepted(
        "struct s { char a; struct { char b; int c; }; long d; };
         enum { S = sizeof(struct s), B = __builtin_offsetof(struct s, b),
                C = __builtin_offsetof(struct s, c), D = __builtin_offsetof(struct s, d) };
         int x[4] = { S, B, C, D };",
    );
    let values: Vec<i64> = constants(&unit, "x");
    // a; padding to 4; b at 4, c at 8; d at 16.
    assert_eq!(values, [24, 4, 8, 16]);
}

/// The initial values of an array.
fn constants(unit: &Unit, name: &str) -> Vec<i64> {
    let object = unit.objects.iter().find(|object| object.name == name);
    let object = object.unwrap_or_else(|| panic!("no {name}"));
    let values = object.init.iter().map(|(_, value)| match value.kind {
        crate::lower::typed::ExprKind::Const(value) => value,
        _ => panic!("{value:?}"),
    });
    values.collect()
}
