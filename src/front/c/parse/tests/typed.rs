//! The typed program of accepted texts.

use super::{accepted, read};
use crate::c::check::{BOOL, CHAR, INT, LONG, UNSIGNED, UNSIGNED_LONG};
use crate::lower::typed::{
    Asm, BinaryOp, Callee, Expr, ExprKind, Function, Initialised, LvalueKind, Stmt, StmtKind, Type,
    TypeKind, Unit, Yields,
};

/// The type and the kind of an expression among declarations of all types.
fn expression(text: &str) -> Expr {
    let unit = accepted(&format!(
        "struct s {{ int a; char b[3]; }} s; char c; unsigned char uc; short h; unsigned u; long l; unsigned long ul; int i; _Bool b; _Atomic int at; volatile int v; int *p; int arr[4]; void f(void) {{ (void)0; {text}; }}"
    ));
    match statements(&unit.functions[0]).last().map(|last| &last.kind) {
        Some(StmtKind::Expr(value)) => value.clone(),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn expressions_have_the_types_that_c_gives_them() {
    for (text, ty) in [
        ("c", CHAR),
        ("c + c", INT),
        ("+c", INT),
        ("uc << ul", INT),
        ("u + i", UNSIGNED),
        ("u + l", LONG),
        ("l + ul", UNSIGNED_LONG),
        ("-u", UNSIGNED),
        ("~b", INT),
        ("!l", INT),
        ("u < l", INT),
        ("at", INT),
        ("v", INT),
        ("at += 1", INT),
        (
            "h = l",
            Type {
                kind: TypeKind::Int {
                    bits: 16,
                    signed: true,
                },
                ..INT
            },
        ),
        ("c ? u : c", UNSIGNED),
        ("p - arr", LONG),
        ("*p", INT),
        ("arr[1]", INT),
        ("1[arr]", INT),
        ("s.b[1]", CHAR),
        ("(&s)->a", INT),
        ("sizeof i", UNSIGNED_LONG),
        ("c, l", LONG),
        ("l && c", INT),
        ("(_Bool)l", BOOL),
        ("__builtin_expect(i, 0)", LONG),
        ("({ long q = 1; q; })", LONG),
        ("_Generic(c + c, char: 1l, int: 2u, default: i)", UNSIGNED),
        ("atomic_load(&at)", INT),
        ("__sync_bool_compare_and_swap(&i, 1, 2)", BOOL),
        ("(struct s){ 1 }.a", INT),
        ("i ?: l", LONG),
    ] {
        assert_eq!(expression(text).ty, ty, "{text}");
    }
}

#[test]
fn assignments_convert_and_updates_name_the_type_they_compute_in() {
    let ExprKind::Assign(into, value) = expression("c = l").kind else {
        panic!("no assignment");
    };
    assert_eq!((into.ty, value.ty.clone()), (CHAR, CHAR));
    assert!(matches!(value.kind, ExprKind::Cast(inner) if inner.ty == LONG));
    let ExprKind::Update {
        op,
        operand,
        computed_in,
        yields,
        ..
    } = expression("c += l").kind
    else {
        panic!("no update");
    };
    assert_eq!((op, yields), (BinaryOp::Add, Yields::After));
    assert_eq!((operand.ty, computed_in), (LONG, LONG));
    let ExprKind::Update {
        op,
        operand,
        computed_in,
        yields,
        ..
    } = expression("p++").kind
    else {
        panic!("no update");
    };
    assert_eq!((op, yields), (BinaryOp::PointerAdd, Yields::Before));
    assert_eq!(operand.ty, LONG);
    assert!(computed_in.is_pointer());
}

#[test]
fn arrays_decay_to_the_address_of_their_first_element() {
    let ExprKind::AddressOf(first) = expression("arr + 0, arr").kind.last() else {
        panic!("no address");
    };
    assert!(matches!(first.kind, LvalueKind::Element(..)));
    assert_eq!(first.ty, INT);
}

impl ExprKind {
    /// The second operand of a comma.
    fn last(self) -> Self {
        match self {
            Self::Comma(_, second) => second.kind,
            other => other,
        }
    }
}

/// The statements of a function, without the empty block that is the end of one that returns nothing.
fn statements(function: &Function) -> &[Stmt] {
    match function.body.split_last() {
        Some((last, rest)) if matches!(&last.kind, StmtKind::Block(end) if end.is_empty()) => rest,
        Some(_) | None => &function.body,
    }
}

fn function<'u>(unit: &'u Unit, name: &str) -> &'u Function {
    let found = unit.functions.iter().find(|function| function.name == name);
    found.unwrap_or_else(|| panic!("no function {name}"))
}

#[test]
fn locals_whose_address_is_taken_are_marked() {
    let unit = accepted(
        "void g(int *p) { }
         void f(int n) {
             int plain, taken, sized, elements[2], indexed[2], decays[2];
             g(&taken);
             (void)sizeof(&sized);
             elements[1] = 1;
             indexed[n] = 1;
             g(decays);
             plain = n;
         }",
    );
    let marked: Vec<&str> = function(&unit, "f")
        .locals
        .iter()
        .filter(|local| local.addressed)
        .map(|local| local.name.as_str())
        .collect();
    assert_eq!(marked, ["taken", "indexed", "decays"]);
}

#[test]
fn calls_name_what_they_call() {
    let unit = accepted(
        "extern void __VERIFIER_assume(int);
         void *thr();
         int assume_abort_if_not(int c) { return c; }
         void f(void (*h)(int)) {
             __VERIFIER_assume(1);
             assume_abort_if_not(1);
             h(1);
             (*h)(2);
             thr(1, 2);
             printf(\"%d\", 1);
         }
         void *thr() { return 0; }",
    );
    let callees: Vec<&str> = statements(function(&unit, "f"))
        .iter()
        .map(|statement| match &statement.kind {
            StmtKind::Expr(Expr {
                kind: ExprKind::Call(callee, _),
                ..
            }) => match callee {
                Callee::Defined(id) => unit.functions[id.0].name.as_str(),
                Callee::Library(entry) => entry.name,
                Callee::Pointer(_) => "pointer",
            },
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        callees,
        [
            "__VERIFIER_assume",
            "assume_abort_if_not",
            "pointer",
            "pointer",
            "thr",
            "printf"
        ]
    );
}

#[test]
fn static_locals_are_objects_named_after_their_function() {
    let unit = accepted("int f(void) { static int calls = 3; return calls++; }");
    let names: Vec<&str> = unit
        .objects
        .iter()
        .map(|object| object.name.as_str())
        .collect();
    assert_eq!(names, ["f.calls"]);
    assert_eq!(unit.objects[0].init.len(), 1);
}

#[test]
fn tentative_definitions_are_one_object() {
    let unit = accepted("extern int x; int x; int x = 4; extern int x; int a[]; int a[3];");
    assert_eq!(unit.objects.len(), 2);
    assert_eq!(unit.objects[0].init.len(), 1);
}

#[test]
fn statements_keep_their_structure() {
    let unit = accepted(
        "int x;
         void f(void) {
             int y = 1, z;
             for (int i = 0; i < 3; i++) continue;
             do x--; while (x);
             switch (x) { case 1 ... 2: break; default: ; }
             if (x) x = 1; else if (y) x = 2;
             asm volatile(\"mfence\" ::: \"memory\");
             goto end;
             end: ;
             int after;
             last:
         }",
    );
    let body = statements(function(&unit, "f"));
    let shapes: Vec<&str> = body
        .iter()
        .map(|statement| match &statement.kind {
            StmtKind::Declare(_, _, Initialised::Yes) => "declare with value",
            StmtKind::Declare(_, _, Initialised::No) => "declare",
            StmtKind::Block(inner) if matches!(inner[1].kind, StmtKind::For(..)) => "for",
            StmtKind::DoWhile(..) => "do",
            StmtKind::Switch(..) => "switch",
            StmtKind::If(_, _, Some(_)) => "if else",
            StmtKind::Asm(Asm::FullFence) => "fence",
            StmtKind::Goto(_) => "goto",
            StmtKind::Label(..) => "label",
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        shapes,
        [
            "declare with value",
            "declare",
            "for",
            "do",
            "switch",
            "if else",
            "fence",
            "goto",
            "label",
            "declare",
            "label"
        ]
    );
}

#[test]
fn mixed_pointers_are_warned_of() {
    let (unit, diagnostics) = read(
        "int *p; long *q; unsigned *u; void *v; void f(void) { p = q; p = u; v = p; q = v; p = 0; p = (void *)0; }",
    );
    assert!(unit.is_some());
    let messages: Vec<&str> = diagnostics.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        messages,
        ["`long *` is mixed with `int *`, the type of the place assigned to"]
    );
}

#[test]
fn typical_programs_are_accepted() {
    accepted(
        "typedef __fencepost_mutex pthread_mutex_t; typedef __fencepost_thread pthread_t;
         typedef struct node { int value; _Atomic(struct node *) next; } node_t;
         pthread_mutex_t m = {0}; static _Atomic int x, y; _Atomic(node_t *) top;
         struct { node_t *head, *tail; int counts[2][2]; } queue = { 0, .counts = { { 1, 2 }, [1] = { 3 } } };
         static inline int max(int a, int b) { return a > b ? a : b; }
         void push(node_t *n) {
             node_t *old = atomic_load_explicit(&top, 0);
             do { atomic_store(&n->next, old); } while (!atomic_compare_exchange_weak(&top, &old, n));
         }
         void *thr(void *arg) {
             int r = *(int *)arg;
             pthread_mutex_lock(&m);
             x = r; y += max(r, 2);
             pthread_mutex_unlock(&m);
             node_t *n = malloc(sizeof(*n));
             n->value = (int)(long)arg;
             push(n);
             __fencepost_assert(n && \"node\");
             return (void *)0;
         }
         int main(void) {
             pthread_t t[2]; int ids[2] = { 1, 2 };
             for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, thr, &ids[i]);
             for (unsigned i = 0; i < sizeof(t) / sizeof(t[0]); i++) pthread_join(t[i], ((void *)0));
             __fencepost_assert(x + y >= 2);
             return 0;
         }",
    );
}
