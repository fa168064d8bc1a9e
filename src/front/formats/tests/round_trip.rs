//! Printing and parsing again is the identity, for every program.

use super::super::*;
use crate::program::{
    Addr, BinaryOp, Copies, Expr, Fence, FencePlace, FetchOp, LocId, Observable, Op, Origin,
    ProgramBuilder, PropertyKind, RegId, ThreadId, UnaryOp, Update, print,
};
use proptest::prelude::*;

fn binary_op() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::*;
    prop::sample::select(vec![
        Or, And, BitOr, BitXor, BitAnd, Eq, Ne, Lt, Le, Gt, Ge, Shl, Shr, Add, Sub, Mul,
    ])
}

fn expr<V: Copy + std::fmt::Debug + 'static>(
    var: impl Strategy<Value = V> + 'static,
) -> impl Strategy<Value = Expr<V>> + Clone {
    let constant = prop_oneof![-3..9_i32, Just(i32::MIN), Just(i32::MAX)];
    let leaf = prop_oneof![constant.prop_map(Expr::Const), var.prop_map(Expr::Var)];
    leaf.prop_recursive(4, 16, 3, |inner| {
        let unary = prop::sample::select(vec![UnaryOp::Not, UnaryOp::BitNot, UnaryOp::Neg]);
        let divide = prop::sample::select(vec![BinaryOp::Div, BinaryOp::Rem]);
        prop_oneof![
            (unary, inner.clone()).prop_map(|(op, a)| Expr::unary(op, a)),
            (binary_op(), inner.clone(), inner.clone())
                .prop_map(|(op, a, b)| Expr::binary(op, a, b)),
            (divide, inner.clone(), 1..4_i32).prop_map(|(op, a, b)| Expr::binary(
                op,
                a,
                Expr::Const(-b)
            )),
            (inner.clone(), inner.clone(), inner).prop_map(|(c, a, b)| Expr::conditional(c, a, b)),
        ]
    })
    .boxed()
}

/// Cells 1 to 5: a scalar, an array of three, a scalar.
fn op() -> impl Strategy<Value = Op> {
    let e = expr((0..3_u32).prop_map(RegId));
    let reg = (0..3_u32).prop_map(RegId);
    let fetch = prop::sample::select(vec![FetchOp::Add, FetchOp::Sub, FetchOp::And, FetchOp::Or]);
    let update = prop_oneof![
        (e.clone(), e.clone())
            .prop_map(|(expected, desired)| Update::CompareExchange { expected, desired }),
        e.clone().prop_map(Update::Exchange),
        (fetch, e.clone()).prop_map(|(op, e)| Update::Fetch(op, e)),
    ];
    let fence = prop_oneof![
        Just(Fence::Full),
        Just(Fence::Store),
        Just(Fence::All),
        prop::collection::btree_set((1..6).prop_map(Addr), 1..4)
            .prop_map(|cells| Fence::Cells(cells.into_iter().collect())),
    ];
    prop_oneof![
        Just(Op::Skip),
        (reg.clone(), e.clone()).prop_map(|(into, value)| Op::Assign { into, value }),
        (reg.clone(), -3..3_i32, 0..3_i32).prop_map(|(into, low, more)| Op::Havoc {
            into,
            low,
            high: low + more
        }),
        e.clone().prop_map(Op::Assume),
        e.clone().prop_map(Op::Assert),
        (reg.clone(), e.clone()).prop_map(|(into, addr)| Op::Load { into, addr }),
        (e.clone(), e.clone()).prop_map(|(addr, value)| Op::Store { addr, value }),
        (reg, e, update).prop_map(|(into, addr, update)| Op::Rmw { into, addr, update }),
        fence.prop_map(Op::Fence),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z][a-z0-9_]{0,3}",
        1 => prop::sample::select(vec![
            "end", "mem", "thread", "x.0", "a b", "$t", "r'2", "`", "\\", "\n", "", "0", "q1", "ä",
            "init", "while", "w.1", "\u{1b}[2J", "\\x1b[2J", "\r", "\u{202e}x", "a\u{feff}", "\t",
        ]).prop_map(str::to_owned),
    ]
}

/// A thread: its name, whether it has any number of copies, registers, labels (`None` for locations
/// without one), the entry, instructions.
type ThreadParts = (
    String,
    bool,
    Vec<(String, i32)>,
    Vec<Option<String>>,
    u32,
    Vec<(u32, Op, u32, u8)>,
);

fn thread() -> impl Strategy<Value = ThreadParts> {
    (
        name(),
        any::<bool>(),
        prop::collection::vec((name(), -2..3_i32), 3),
        prop::collection::vec(prop::option::of(name()), 4),
        0..4_u32,
        prop::collection::vec((0..4_u32, op(), 0..4_u32, 0..4_u8), 0..6),
    )
}

fn program() -> impl Strategy<Value = Option<Program>> {
    let observable = prop_oneof![
        (0..2_u32, 0..3_u32).prop_map(|(t, r)| Observable::Register(ThreadId(t), RegId(r))),
        (0..2_u32, 0..4_u32).prop_map(|(t, q)| Observable::At(ThreadId(t), LocId(q))),
        (1..6_i32).prop_map(|a| Observable::Cell(Addr(a))),
    ];
    let kind = prop::sample::select(vec![
        PropertyKind::Forbid,
        PropertyKind::FinalAssert,
        PropertyKind::Exists,
    ]);
    (
        name(),
        prop::collection::vec(name(), 3),
        prop::collection::vec(-2..3_i32, 5),
        prop::collection::vec(thread(), 2),
        prop::collection::vec((kind, expr(observable)), 0..3),
    )
        .prop_map(|(name, regions, init, threads, properties)| {
            let mut builder = ProgramBuilder::new(name);
            builder.cell(&regions[0], init[0]);
            builder.array(&regions[1], init[1..4].to_vec());
            builder.cell(&regions[2], init[4]);
            for (name, any, registers, labels, entry, instructions) in threads {
                let copies = if any { Copies::Any } else { Copies::One };
                let t = builder.thread(name, copies, Origin::default());
                for (name, init) in registers {
                    builder.register(t, name, init);
                }
                for label in labels {
                    match label {
                        Some(label) => builder.label(t, label, Origin::default()),
                        None => builder.location(t, Origin::default()),
                    };
                }
                builder.entry(t, LocId(entry));
                for (from, op, to, place) in instructions {
                    let i = builder.instruction(t, LocId(from), op, LocId(to), Origin::default());
                    match place {
                        0 => builder.fence_place(t, i, FencePlace::Forbidden),
                        1 => builder.fence_place(t, i, FencePlace::Cost(7)),
                        2 => builder.fence_place(t, i, FencePlace::Exchange),
                        _ => {}
                    }
                }
            }
            for (kind, predicate) in properties {
                builder.property(kind, predicate, Origin::default());
            }
            // Some combinations of names are invalid: two of the same name.
            builder.build().ok()
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_programs_round_trip(program in program()) {
        if let Some(program) = program {
            let text = print(&program);
            let parsed = parse(&text);
            let shown = render(&parsed.diagnostics, "printed", &text, false);
            prop_assert!(parsed.program.is_some(), "{}\n{}", text, shown);
            if let Some(again) = parsed.program {
                prop_assert_eq!(again.without_origins(), program.without_origins(), "{}", text);
            }
        }
    }
}

#[test]
fn an_array_with_the_name_of_memory_itself_round_trips() {
    let text = "shared a, `mem`[2]; thread t { local r; `mem`[1] = 2; r = cas(`mem`[0], 0, 1); }";
    let program = parse(text).program.expect("no error in the text");
    let printed = print(&program);
    let again = parse(&printed).program.map(|p| p.without_origins());
    assert_eq!(again, Some(program.without_origins()), "{printed}");
}
