//! Statements: branches, loops, jumps, and the points where paths meet.
//!
//! Where paths meet, a local that has one known value on all of them keeps it; any other one is put
//! into its register at the end of each path.

use super::arith::Operation;
use super::code::Loc;
use super::env::{Env, State};
use super::lifetime::Variable;
use super::position::with_start;
use super::scan::{Seen, look};
use super::value::{Value, int};
use super::{Lowering, MOST_ITERATIONS};
use crate::lower::operation::Order;
use crate::lower::typed::{Asm, BinaryOp, Expr, FunctionId, Stmt, StmtKind};
use crate::program::{Fence, Op};
use crate::text::{Diagnostic, Place};
use std::collections::{BTreeMap, BTreeSet};

/// Where jumps lead.
#[derive(Default, Debug)]
pub(super) struct Targets {
    /// Paths that leave the innermost loop or `switch`, by nesting.
    breaks: Vec<Paths>,
    /// Paths that go on with the next iteration.
    continues: Vec<Paths>,
    /// Paths that return from the function, each with the value.
    pub(super) returns: Vec<(State, Vec<Value>)>,
    /// Labels of the function that were met, with what is known there.
    labels: BTreeMap<String, (Loc, Env, Vec<Variable>)>,
    /// Jumps to labels that come later.
    forward: BTreeMap<String, Vec<(State, Vec<Variable>)>>,
    /// Values of the innermost `switch`, with the paths that lead to them.
    cases: Vec<Cases>,
    /// What the function jumps to.
    pub(super) gotos: BTreeSet<String>,
    /// Where jumps lead back to.
    pub(super) back: BTreeSet<String>,
    /// The activation of the function.
    pub(super) activation: Option<(usize, FunctionId)>,
    /// How many variables are alive that are not of this function.
    pub(super) floor: usize,
}

/// Paths that meet outside of blocks.
#[derive(Default, Debug)]
struct Paths {
    paths: Vec<State>,
    /// How many variables are alive there.
    alive: usize,
}

#[derive(Default, Debug)]
struct Cases {
    /// What is alive before the body.
    alive: Vec<Variable>,
    values: BTreeMap<i64, State>,
    default: Option<State>,
}

impl Lowering<'_> {
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        if let Some((before, whole)) = with_start(stmt) {
            self.position(whole);
            self.stmts(before);
            self.act(whole);
        } else {
            self.position(stmt);
            self.act(stmt);
        }
    }

    /// What a statement does, after the position before it.
    pub(super) fn act(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) => self.effect(e, stmt.place),
            StmtKind::Declare(local, init, initialised) => {
                self.declare(*local, init, *initialised, stmt.place);
            }
            StmtKind::Block(stmts) => self.block(stmts, stmt.place),
            StmtKind::If(condition, then, other) => {
                let (yes, no) = self.branch(condition);
                self.state = yes;
                self.stmt(then);
                let after = self.state.take();
                self.state = no;
                if let Some(other) = other {
                    self.stmt(other);
                }
                let both = after.into_iter().chain(self.state.take()).collect();
                self.state = self.join(both, stmt.place);
            }
            StmtKind::While(condition, body) => {
                self.repeat(Some(condition), None, body, false, stmt.place);
            }
            StmtKind::DoWhile(body, condition) => {
                self.repeat(Some(condition), None, body, true, stmt.place);
            }
            StmtKind::For(condition, step, body) => {
                self.repeat(condition.as_ref(), step.as_ref(), body, false, stmt.place);
            }
            StmtKind::Switch(value, body) => self.switch(value, body, stmt.place),
            StmtKind::Case(value, body) => {
                let cases = self.control.cases.last_mut();
                let entry = cases.and_then(|cases| cases.values.remove(value));
                self.enter_case(entry, stmt.place);
                self.stmt(body);
            }
            StmtKind::Default(body) => {
                let cases = self.control.cases.last_mut();
                let entry = cases.and_then(|cases| cases.default.take());
                self.enter_case(entry, stmt.place);
                self.stmt(body);
            }
            StmtKind::Label(name, body) => {
                self.label(name, stmt.place);
                self.stmt(body);
            }
            StmtKind::Goto(name) => self.goto(name, stmt.place),
            StmtKind::Break => {
                let alive = self.control.breaks.last().map_or(0, |breaks| breaks.alive);
                self.end_lives(alive, stmt.place);
                if let (Some(state), Some(breaks)) =
                    (self.state.take(), self.control.breaks.last_mut())
                {
                    breaks.paths.push(state);
                }
            }
            StmtKind::Continue => {
                let continues = self.control.continues.last();
                let alive = continues.map_or(0, |continues| continues.alive);
                self.end_lives(alive, stmt.place);
                if let (Some(state), Some(continues)) =
                    (self.state.take(), self.control.continues.last_mut())
                {
                    continues.paths.push(state);
                }
            }
            StmtKind::Return(value) => {
                let values = match value {
                    Some(e) => self.eval_all(e),
                    None => Vec::new(),
                };
                self.leave(stmt.place);
                if let Some(state) = self.state.take() {
                    self.control.returns.push((state, values));
                }
            }
            StmtKind::Word(word) => self.word(word, stmt.place),
            StmtKind::Asm(Asm::Nothing) | StmtKind::Empty | StmtKind::InMacro => {}
            StmtKind::Asm(Asm::CompilerBarrier) => self.mark_order(Order::AcqRel, stmt.place),
            StmtKind::Asm(Asm::FullFence) => self.emit(Op::Fence(Fence::Full), stmt.place),
            StmtKind::Asm(Asm::StoreFence) => self.emit(Op::Fence(Fence::Store), stmt.place),
        }
    }

    /// No paths yet, which will meet here.
    fn paths(&self) -> Paths {
        Paths {
            paths: Vec::new(),
            alive: self.alive.len(),
        }
    }

    /// A path from the beginning of the `switch` meets the one at hand.
    fn enter_case(&mut self, entry: Option<State>, place: Place) {
        let at_hand = std::mem::replace(&mut self.state, entry);
        let cases = self.control.cases.last();
        let before = cases.map_or_else(Vec::new, |cases| cases.alive.clone());
        self.moved_from(&before, place);
        let both = at_hand.into_iter().chain(self.state.take()).collect();
        self.state = self.join(both, place);
    }

    // Loops.

    fn repeat(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        body_first: bool,
        place: Place,
    ) {
        let exprs: Vec<&Expr> = condition.into_iter().chain(step).collect();
        let seen = look(std::slice::from_ref(body), &exprs);
        let repeated = self.learned.repeated.contains(&place);
        let may_leave = self.facts.may_leave(&seen);
        let threads = self.facts.is_fixed(&seen) && !(may_leave && repeated);
        if threads && !may_leave && self.state.is_some() {
            let mut exits = Vec::new();
            if self.creates_any(condition, &seen, place) {
                self.create_any((condition, body, body_first), &seen, place, &mut exits);
                self.state = self.join(exits, place);
                return;
            }
            if self.joins_any(&seen) {
                self.join_all((&exprs, body), &seen, place);
                return;
            }
        }
        let fixed = threads || self.facts.allocates(&seen) && !repeated;
        let mut exits = Vec::new();
        let mut iterations = 0;
        while self.state.is_some() && (fixed || self.solo) {
            if iterations > 0 || !body_first {
                let (yes, no) = self.test(condition, place);
                let known = yes.is_none() || no.is_none();
                exits.extend(no);
                self.state = yes;
                let may_repeat = may_leave || !threads && self.options.heap > 0;
                if fixed && !known && iterations >= 16 && may_repeat {
                    self.now.repeated.insert(place);
                    self.state = None;
                } else if fixed && !known && iterations >= 16 {
                    self.report(
                        Diagnostic::error(
                            "the number of iterations of this loop is not known",
                            self.positions.span(place),
                        )
                        .note(
                            "a loop that creates or joins threads, allocates memory or waits for readers of \
                             RCU is unrolled, so its condition must depend on constants alone",
                        )
                        .note("if it only allocates, `--heap N` provides N blocks")
                        .note("if it only creates threads, or joins them, `--any-number` takes it for any number"),
                    );
                    self.state = None;
                }
            }
            iterations += 1;
            if iterations > MOST_ITERATIONS {
                self.error(
                    format!("this loop has more than {MOST_ITERATIONS} iterations"),
                    place,
                );
                self.state = None;
            }
            self.iteration(body, place, &mut exits);
            self.step(step, place);
        }
        if self.state.is_some() {
            self.endless(
                condition,
                step,
                body,
                body_first && iterations == 0,
                &seen,
                place,
                &mut exits,
            );
        }
        self.state = self.join(exits, place);
    }

    /// Tests the condition of the loop at this place.
    fn test(&mut self, condition: Option<&Expr>, place: Place) -> (Option<State>, Option<State>) {
        match condition {
            Some(condition) => {
                self.in_head(condition, place);
                self.branch(condition)
            }
            None => (self.state.take(), None),
        }
    }

    /// The step of the `for` at this place.
    fn step(&mut self, step: Option<&Expr>, place: Place) {
        if let Some(step) = step {
            self.in_head(step, place);
            self.effect(step, step.place);
        }
    }

    /// The body once, up to where the next iteration begins.
    pub(super) fn iteration(&mut self, body: &Stmt, place: Place, exits: &mut Vec<State>) {
        self.control.breaks.push(self.paths());
        self.control.continues.push(self.paths());
        self.stmt(body);
        exits.extend(self.control.breaks.pop().unwrap_or_default().paths);
        let continues = self.control.continues.pop().unwrap_or_default().paths;
        let all = self.state.take().into_iter().chain(continues).collect();
        self.state = self.join(all, place);
    }

    /// A loop of the automaton.
    #[allow(clippy::too_many_arguments, reason = "the parts of a loop")]
    fn endless(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        body_first: bool,
        seen: &Seen,
        place: Place,
        exits: &mut Vec<State>,
    ) {
        // A jump back to a label inside may come with anything in the variables.
        let everything = !seen.labels.is_disjoint(&self.control.back);
        self.generalise(seen, everything, place);
        let Some(before) = self.state.take() else {
            return;
        };
        let origin = self.origin(place);
        let head = self.code.step(before.at, Op::Skip, origin);
        let known = before.env.clone();
        self.state = Some(State { at: head, ..before });
        self.solo = false;
        self.loops += 1;
        if !body_first {
            let (yes, no) = self.test(condition, place);
            exits.extend(no);
            self.state = yes;
        }
        self.iteration(body, place, exits);
        self.step(step, place);
        if body_first {
            let (yes, no) = self.test(condition, place);
            exits.extend(no);
            self.state = yes;
        }
        self.loops -= 1;
        if let Some(state) = self.state.take() {
            self.close(state, head, &known, seen, place);
        }
    }

    fn switch(&mut self, value: &Expr, body: &Stmt, place: Place) {
        let chosen = self.eval(value);
        let mut values = Vec::new();
        let mut has_default = false;
        cases(body, &mut values, &mut has_default);
        let mut cases = Cases::default();
        for case in values {
            let label = Value::Known(case);
            self.no_number(&label, &value.ty, place);
            let is_chosen = Operation {
                op: BinaryOp::Eq,
                left: (chosen.clone(), &value.ty),
                right: (label, &value.ty),
                ty: &int(),
            };
            let test = self.binary(is_chosen, place);
            let (yes, no) = self.split(test, place);
            if let Some(yes) = yes {
                cases.values.insert(case, yes);
            }
            self.state = no;
        }
        let rest = self.state.take();
        let mut exits = Vec::new();
        if has_default {
            cases.default = rest;
        } else {
            exits.extend(rest);
        }
        cases.alive.clone_from(&self.alive);
        self.control.cases.push(cases);
        self.control.breaks.push(self.paths());
        self.stmt(body);
        exits.extend(self.control.breaks.pop().unwrap_or_default().paths);
        let unmet = self.control.cases.pop().unwrap_or_default();
        if !unmet.values.is_empty() || unmet.default.is_some() {
            self.error(
                "a `case` inside a loop of its `switch` is not supported",
                place,
            );
        }
        exits.extend(self.state.take());
        self.state = self.join(exits, place);
    }

    // Jumps.

    fn label(&mut self, name: &str, place: Place) {
        if !self.control.gotos.contains(name) {
            return;
        }
        let mut paths: Vec<State> = self.state.take().into_iter().collect();
        for (state, alive) in self.control.forward.remove(name).unwrap_or_default() {
            self.state = Some(state);
            self.moved_from(&alive, place);
            paths.extend(self.state.take());
        }
        self.state = self.join(paths, place);
        if !self.control.back.contains(name) {
            return;
        }
        // Later jumps may lead here too, with anything in the variables.
        self.generalise(&Seen::default(), true, place);
        let origin = self.origin(place);
        if let Some(state) = &mut self.state {
            state.at = self.code.step(state.at, Op::Skip, origin);
            let here = (state.at, state.env.clone(), self.alive.clone());
            self.control.labels.insert(name.to_owned(), here);
        }
    }

    /// Jumps whose label was not met: it is inside a loop that nothing else enters.
    pub(super) fn no_jump_left(&mut self, place: Place) {
        let names: Vec<String> = self.control.forward.keys().cloned().collect();
        for name in names {
            self.error(
                format!("a jump to `{name}`, which is inside a loop, is not supported"),
                place,
            );
        }
    }

    fn goto(&mut self, name: &str, place: Place) {
        if let Some((head, known, alive)) = self.control.labels.get(name).cloned() {
            self.moved(&self.alive.clone(), &alive, place);
            if let Some(state) = self.state.take() {
                self.close(state, head, &known, &Seen::default(), place);
            }
        } else if let Some(state) = self.state.take() {
            let forward = self.control.forward.entry(name.to_owned()).or_default();
            forward.push((state, self.alive.clone()));
        }
    }
}

/// The case labels of a `switch`, without those of one inside it.
fn cases(stmt: &Stmt, values: &mut Vec<i64>, default: &mut bool) {
    match &stmt.kind {
        StmtKind::Case(value, body) => {
            values.push(*value);
            cases(body, values, default);
        }
        StmtKind::Default(body) => {
            *default = true;
            cases(body, values, default);
        }
        StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| cases(stmt, values, default)),
        StmtKind::If(_, then, other) => {
            cases(then, values, default);
            if let Some(other) = other {
                cases(other, values, default);
            }
        }
        StmtKind::While(_, body)
        | StmtKind::DoWhile(body, _)
        | StmtKind::For(_, _, body)
        | StmtKind::Label(_, body) => cases(body, values, default),
        StmtKind::Expr(_)
        | StmtKind::Declare(..)
        | StmtKind::Switch(..)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Asm(_)
        | StmtKind::Word(_)
        | StmtKind::Empty
        | StmtKind::InMacro => {}
    }
}
