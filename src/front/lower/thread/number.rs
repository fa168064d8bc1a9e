//! Whether anything depends on how many threads there are, where there may be any number of them.
//!
//! Registers that do are followed along all paths, through assignments. No instruction may use one in
//! any other way, except in conditions that every large number fulfils, and before an end that does nothing.
//! Then what they hold makes no difference, and the choices that gave them their values are dropped.

use super::any::{Unknown, UnknownOf, is_visible};
use crate::facts::Flow;
use crate::lower::Lowering;
use crate::lower::code::{Code, Instr};
use crate::program::{BinaryOp, Expr, Op, Ordering, RegId, UnaryOp};
use crate::text::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};

/// By register that depends on the number of threads: which of the choices it comes from.
type Tainted = BTreeMap<RegId, BTreeSet<usize>>;

/// What is found of a thread.
#[derive(Default)]
struct Found {
    /// Instructions that use a number, and the choice that it comes from.
    uses: Vec<(usize, usize)>,
    /// Conditions that every number fulfils that is large enough.
    implied: Vec<usize>,
    /// Conditions after which the thread does nothing that matters.
    idle: Vec<usize>,
}

impl Lowering<'_> {
    /// Refuses what depends on the number of threads, and drops the choices of it.
    pub(super) fn forget_number(&mut self) {
        let mut unknown = std::mem::take(&mut self.any.unknown);
        loop {
            let found = follow(&self.code, &unknown);
            // What may be the bound of a loop, and is used otherwise, stays as it is.
            let is_open = |of: &Unknown| of.of == UnknownOf::PossibleBound;
            let open = found.uses.iter().map(|use_| use_.1);
            let open: Vec<usize> = open.filter(|&of| is_open(&unknown[of])).collect();
            if !open.is_empty() {
                let all = std::mem::take(&mut unknown).into_iter().enumerate();
                let kept = all.filter(|(number, _)| !open.contains(number));
                unknown = kept.map(|(_, of)| of).collect();
                continue;
            }
            for &(instr, of) in &found.uses {
                self.refuse_use(instr, &unknown[of]);
            }
            for &instr in &found.implied {
                self.drop_step(instr);
            }
            for &instr in &found.idle {
                self.code.instructions[instr].op = Op::Assume(Expr::Const(0));
            }
            break;
        }
        for of in unknown {
            self.drop_step(of.instr);
        }
    }

    fn drop_step(&mut self, instr: usize) {
        let instr = &mut self.code.instructions[instr];
        instr.op = Op::Skip;
        instr.ordering = Ordering::Relaxed;
    }

    fn refuse_use(&mut self, instr: usize, of: &Unknown) {
        let origin = self.code.instructions[instr].origin;
        let span = origin.start as usize..origin.end as usize;
        if self.is_refused(&span) {
            return;
        }
        let message = match of.of {
            UnknownOf::Loop => {
                "this depends on how many threads a loop creates, of which there may be any number"
            }
            UnknownOf::Bound | UnknownOf::PossibleBound => {
                "how many threads there are matters here, and it may be any number"
            }
        };
        self.report(Diagnostic::error(message, span).note(self.bounded()));
    }
}

/// Follows the values that these instructions choose.
fn follow(code: &Code, unknown: &[Unknown]) -> Found {
    let start = code.entered(Tainted::new());
    let at = Flow::forward(code).solve(start, |index, Instr { op, .. }, before| {
        let mut after = before.clone()?;
        if let Some(into) = op.target() {
            after.remove(&into);
            let own = unknown.iter().position(|of| of.instr == index);
            let from = match (own, op) {
                (Some(own), _) => BTreeSet::from([own]),
                (None, Op::Assign { .. }) => comes_from(op, before.as_ref()?),
                (None, _) => BTreeSet::new(),
            };
            if !from.is_empty() {
                after.insert(into, from);
            }
        }
        Some(after)
    });
    let is_idle = idle(code);
    let mut found = Found::default();
    for (index, instr) in code.instructions.iter().enumerate() {
        let Some(before) = &at[instr.from] else {
            continue;
        };
        if matches!(instr.op, Op::Assign { .. }) {
            continue;
        }
        for of in comes_from(&instr.op, before) {
            if unknown[of].of != UnknownOf::Loop && is_implied(&instr.op) {
                found.implied.push(index);
            } else if matches!(instr.op, Op::Assume(_)) && is_idle[instr.to] {
                found.idle.push(index);
            } else {
                found.uses.push((index, of));
            }
        }
    }
    found
}

/// The choices that what an instruction computes with comes from.
fn comes_from(op: &Op, tainted: &Tainted) -> BTreeSet<usize> {
    let mut from = BTreeSet::new();
    for e in op.operands() {
        e.for_each_var(&mut |register: RegId| {
            from.extend(tainted.get(&register).into_iter().flatten());
        });
    }
    from
}

/// By location: whether nothing that may be seen is executed from there on, and no thread is created.
fn idle(code: &Code) -> Vec<bool> {
    let acts = code.instructions.iter();
    let acts = acts.filter(|instr| is_visible(&instr.op) || instr.holds.is_some());
    let leads_there = Flow::backward(code).reached(acts.map(|instr| instr.from), |_| true);
    leads_there.into_iter().map(|acts| !acts).collect()
}

/// Whether this is a condition that a register is large, or is not one value.
fn is_implied(op: &Op) -> bool {
    let Op::Assume(condition) = op else {
        return false;
    };
    let (condition, negated) = match condition {
        Expr::Unary(UnaryOp::Not, inner) => (&**inner, true),
        other => (other, false),
    };
    let Expr::Binary(op, a, b) = condition else {
        return false;
    };
    let op = match (op, negated) {
        (op, false) => *op,
        (BinaryOp::Lt, true) => BinaryOp::Ge,
        (BinaryOp::Le, true) => BinaryOp::Gt,
        (BinaryOp::Gt, true) => BinaryOp::Le,
        (BinaryOp::Ge, true) => BinaryOp::Lt,
        (BinaryOp::Eq, true) => BinaryOp::Ne,
        _ => return false,
    };
    let (a, b) = (&**a, &**b);
    match op {
        BinaryOp::Gt | BinaryOp::Ge => matches!((a, b), (Expr::Var(_), Expr::Const(_))),
        BinaryOp::Lt | BinaryOp::Le => matches!((a, b), (Expr::Const(_), Expr::Var(_))),
        BinaryOp::Ne => matches!(
            (a, b),
            (Expr::Var(_), Expr::Const(_)) | (Expr::Const(_), Expr::Var(_))
        ),
        _ => false,
    }
}
