//! Instructions as transitions; locked ones need extra states and an extra register.

use super::super::raw::{Automaton, Instr, MOST_OPERATORS, Operand, Transition};
use super::{Unprintable, named};
use crate::program::{
    BinaryOp, Expr, Fence, FencePlace, Instruction, Op, Origin, RegId, Thread, UnaryOp, Update,
};

/// A thread that is being converted to an automaton.
pub(super) struct AutomatonBuilder<'d> {
    thread: &'d Thread,
    pub(super) automaton: Automaton,
    pub(super) origins: Vec<Origin>,
    /// The origin of the current instruction.
    origin: Origin,
    /// The register for the old value of a locked instruction.
    old: Option<RegId>,
    errors: &'d mut Vec<Unprintable>,
}

impl<'d> AutomatonBuilder<'d> {
    /// Starts from this automaton, whose transitions are missing.
    pub(super) fn new(
        thread: &'d Thread,
        automaton: Automaton,
        errors: &'d mut Vec<Unprintable>,
    ) -> Self {
        Self {
            thread,
            automaton,
            origins: Vec::new(),
            origin: Origin::default(),
            old: None,
            errors,
        }
    }

    fn refuse(&mut self, why: &str) {
        self.errors.push(Unprintable {
            origin: self.origin,
            why: format!("thread `{}`: {why}", self.thread.name()),
        });
    }

    /// Converts one instruction.
    pub(super) fn instruction(&mut self, instruction: &Instruction) {
        self.origin = instruction.origin;
        if instruction.place != FencePlace::Default {
            self.refuse("the format cannot express fence costs or `@nofence`");
        }
        let instr = match &instruction.op {
            Op::Skip => Some(Instr::Noop),
            Op::Assign { into, value } => self
                .expression(value)
                .map(|value| Instr::Local { into: *into, value }),
            Op::Assume(e) => self.expression(e).map(Instr::Check),
            Op::Load { into, addr } => self
                .expression(addr)
                .map(|addr| Instr::Read { into: *into, addr }),
            Op::Store { addr, value } => {
                let (addr, value) = (self.expression(addr), self.expression(value));
                value
                    .zip(addr)
                    .map(|(value, addr)| Instr::Write { value, addr })
            }
            Op::Rmw { into, addr, update } => {
                self.locked(instruction, *into, addr, update);
                return;
            }
            Op::Fence(Fence::Full) => Some(Instr::Mfence),
            Op::AtomicBegin => Some(Instr::Lock),
            Op::AtomicEnd => Some(Instr::Unlock),
            Op::WordBegin(_) => return self.refuse("the format has no accesses of several cells"),
            Op::Havoc { .. } => return self.refuse("the format has no `nondet`"),
            Op::Assert(_) => return self.refuse("the format has no assertions"),
            Op::Fence(Fence::Store) => return self.refuse("the format has no store fences"),
            Op::Fence(Fence::Cells(_)) => {
                return self.refuse("the format has no lightweight fences");
            }
            Op::Fence(Fence::All) => return self.refuse("the format has no `barrier all`"),
        };
        if let Some(instr) = instr {
            self.edge(instruction.from.index(), instr, instruction.to.index());
        }
    }

    /// A locked instruction, as reads and writes between `lock` and `unlock`; inside an atomic
    /// block, which holds the lock already, without these.
    fn locked(
        &mut self,
        instruction: &Instruction,
        into: RegId,
        addr: &Expr<RegId>,
        update: &Update,
    ) {
        let Some(addr) = self.expression(addr) else {
            return;
        };
        let held = self.thread.location(instruction.from).atomic;
        let old = self.old();
        let found = Expr::Var(old);
        // Alternative writes, each with its condition.
        let ways: Vec<(Option<Operand>, Operand)> = match update {
            Update::Exchange(value) => match self.expression(value) {
                Some(value) => vec![(None, value)],
                None => return,
            },
            Update::Fetch(op, operand) => {
                match self.expression(&Expr::binary(op.operator(), found, operand.clone())) {
                    Some(value) => vec![(None, value)],
                    None => return,
                }
            }
            Update::CompareExchange { expected, desired } => {
                let mut condition = |op: BinaryOp| {
                    self.expression(&Expr::binary(op, Expr::Var(old), expected.clone()))
                };
                let conditions = (condition(BinaryOp::Eq), condition(BinaryOp::Ne));
                let (Some(same), Some(other)) = conditions else {
                    return;
                };
                let Some(desired) = self.expression(desired) else {
                    return;
                };
                vec![(Some(same), desired), (Some(other), operand(found))]
            }
        };
        let base = self.automaton.states[instruction.from.index()].name.clone();
        let mut at = instruction.from.index();
        if !held {
            let locked = self.state(&base);
            self.edge(at, Instr::Lock, locked);
            at = locked;
        }
        let read = self.state(&base);
        let get = Instr::Read {
            into: old,
            addr: addr.clone(),
        };
        self.edge(at, get, read);
        let written = self.state(&base);
        for (condition, value) in ways {
            let mut from = read;
            if let Some(condition) = condition {
                from = self.state(&base);
                self.edge(read, Instr::Check(condition), from);
            }
            let addr = addr.clone();
            self.edge(from, Instr::Write { value, addr }, written);
        }
        let value = operand(Expr::Var(old));
        let give = Instr::Local { into, value };
        if held {
            self.edge(written, give, instruction.to.index());
        } else {
            let given = self.state(&base);
            self.edge(written, give, given);
            self.edge(given, Instr::Unlock, instruction.to.index());
        }
    }

    /// If nothing leaves a location of an atomic block, a blocking step keeps it from being an end.
    pub(super) fn dead_ends(&mut self) {
        self.origin = self.thread.origin();
        for (at, location) in self.thread.locations().iter().enumerate() {
            if location.atomic && self.thread.is_end(at.into()) {
                self.edge(at, Instr::Check(operand(Expr::Const(0))), at);
            }
        }
    }

    fn edge(&mut self, from: usize, instr: Instr, to: usize) {
        self.automaton.transitions.push(Transition {
            from,
            to,
            instr,
            span: 0..0,
            does: 0..0,
        });
        self.origins.push(self.origin);
    }

    /// A new state, with a name derived from this one.
    fn state(&mut self, base: &str) -> usize {
        let states = &mut self.automaton.states;
        let taken = |name: &str| states.iter().any(|state| state.name == name);
        let mut number = 1;
        while taken(&format!("{base}.{number}")) {
            number += 1;
        }
        states.push(named(format!("{base}.{number}")));
        states.len() - 1
    }

    fn old(&mut self) -> RegId {
        if let Some(old) = self.old {
            return old;
        }
        let registers = &mut self.automaton.registers;
        let mut name = "$old".to_owned();
        while registers.iter().any(|register| register.name == name) {
            name.push('_');
        }
        registers.push(named(name));
        let old = (registers.len() - 1).into();
        self.old = Some(old);
        old
    }

    /// An expression with the operators of the format.
    fn expression(&mut self, e: &Expr<RegId>) -> Option<Operand> {
        let mut operators = 0;
        match expressible(e, &mut operators) {
            Ok(_) if operators > MOST_OPERATORS => {
                let why =
                    format!("the format allows at most {MOST_OPERATORS} operators per expression");
                self.refuse(&why);
                None
            }
            Ok(e) => Some(operand(e)),
            Err(sign) => {
                self.refuse(&format!("the format has no operator `{sign}`"));
                None
            }
        }
    }
}

fn operand(e: Expr<RegId>) -> Operand {
    Operand { e, span: 0..0 }
}

/// The same with the operators of the format, or the operator that cannot be expressed.
fn expressible(e: &Expr<RegId>, operators: &mut usize) -> Result<Expr<RegId>, &'static str> {
    *operators += 1;
    Ok(match e {
        Expr::Const(c) => {
            *operators -= 1;
            Expr::Const(*c)
        }
        Expr::Var(reg) => {
            *operators -= 1;
            Expr::Var(*reg)
        }
        Expr::Unary(op, a) => {
            let a = expressible(a, operators)?;
            match op {
                UnaryOp::Not => Expr::unary(UnaryOp::Not, a),
                UnaryOp::Neg => Expr::binary(BinaryOp::Sub, Expr::Const(0), a),
                UnaryOp::BitNot => Expr::binary(BinaryOp::Sub, Expr::Const(-1), a),
            }
        }
        Expr::Binary(op, a, b) => {
            let sign = match op {
                BinaryOp::BitOr => Some("|"),
                BinaryOp::BitXor => Some("^"),
                BinaryOp::Shl => Some("<<"),
                BinaryOp::Shr => Some(">>"),
                BinaryOp::Div => Some("/"),
                BinaryOp::Rem => Some("%"),
                BinaryOp::Or
                | BinaryOp::And
                | BinaryOp::BitAnd
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
                | BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul => None,
            };
            if let Some(sign) = sign {
                return Err(sign);
            }
            let a = expressible(a, operators)?;
            Expr::binary(*op, a, expressible(b, operators)?)
        }
        Expr::Conditional(_) => return Err("?:"),
    })
}
