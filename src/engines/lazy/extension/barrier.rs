//! `barrier all` among threads that keep stores in registers.

use super::super::emulation::Act;
use super::{Writer, fresh};
use crate::program::{Addr, Expr, InstrId, LocId, Op, UnaryOp};

impl Writer<'_> {
    /// After a barrier: checks that no thread keeps stores at the moment when the barrier is
    /// passed.
    pub(super) fn check_flags(&mut self, barrier: InstrId, from: LocId, round: usize) {
        let original = self.original(barrier);
        let act = self.before.act(self.site(barrier));
        let all = self.program().thread(self.thread).registers();
        let taken = |name: &String| all.iter().any(|register| register.name == *name);
        let name = fresh(format!("$seen{round}.{}", barrier.index()), taken);
        let seen = self.builder.register(self.thread, name, 0);
        let mut ops = Vec::new();
        if original.op != Op::AtomicEnd {
            ops.push((Op::AtomicBegin, Act::Nothing));
        }
        for &(_, flag) in self.new_flags {
            let addr = Expr::Const(flag.0);
            ops.push((Op::Load { into: seen, addr }, Act::Nothing));
            let none = Expr::unary(UnaryOp::Not, Expr::Var(seen));
            ops.push((Op::Assume(none), Act::Nothing));
        }
        ops.push((Op::AtomicEnd, act));
        self.chain(from, ops, original.to, original.origin);
        let end = InstrId::from(self.acts.len() - 1);
        self.barriers.insert(self.site(end));
    }

    /// Shows other threads whether this one keeps stores.
    pub(super) fn flag(&self, value: i32) -> Vec<(Op, Act)> {
        let store = |flag: Addr| Op::Store {
            addr: Expr::Const(flag.0),
            value: Expr::Const(value),
        };
        let ops = self.flag.map(store).into_iter();
        ops.map(|op| (op, Act::Nothing)).collect()
    }
}
