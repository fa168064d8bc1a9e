//! Control flow, calls and statements.

use super::super::ast::{
    Action, Argument, Binary, Callee, Expr, HEAD, LOCKS, ONCE, PAIRS, Pointer, RESULTS, Shape,
    Sharing, Stmt,
};
use super::{Compiler, Op};

impl Compiler<'_> {
    /// `&&` and `||`.
    pub(super) fn lazily(&mut self, a: &Expr, b: &Expr, either: bool) {
        self.expr(a);
        self.op(Op::Not);
        if !either {
            self.op(Op::Not);
        }
        // Now 0 decides.
        let decided = self.jump(true);
        self.expr(b);
        self.op(Op::Not);
        self.op(Op::Not);
        let end = self.jump(false);
        self.here(decided);
        self.op(Op::Push(either.into()));
        self.here(end);
    }

    pub(super) fn call(&mut self, callee: &Callee, argument: &Expr) {
        match callee {
            Callee::Direct(id) | Callee::Applied(id) => self.op(Op::Push(*id as i32)),
            Callee::Member => self.op(Op::Push(self.draft.table[0] as i32)),
            Callee::Table(at) => {
                let (first, second) = (self.draft.table[0], self.draft.table.get(1));
                let second = second.copied().unwrap_or(first);
                self.select(at, second, first);
            }
            Callee::Chosen(c, f, g) => self.select(c, *f, *g),
        }
        self.expr(argument);
        self.op(Op::Call);
    }

    fn select(&mut self, condition: &Expr, yes: usize, no: usize) {
        self.expr(condition);
        let other = self.jump(true);
        self.op(Op::Push(yes as i32));
        let end = self.jump(false);
        self.here(other);
        self.op(Op::Push(no as i32));
        self.here(end);
    }

    pub(super) fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            let outer = self.mark;
            self.mark = stmt.id;
            self.stmt(&stmt.action);
            self.mark = outer;
        }
    }

    fn begin_loop(&mut self) {
        self.breaks.push(Vec::new());
        self.continues.push(Vec::new());
    }

    fn land(&mut self, jumps: Option<Vec<usize>>) {
        for jump in jumps.unwrap_or_default() {
            self.here(jump);
        }
    }

    /// `counter += 1`, which leaves nothing.
    fn count(&mut self, counter: usize) {
        self.op(Op::Int(counter));
        self.op(Op::Push(1));
        self.op(Op::Binary(Binary::Add));
        self.op(Op::SetInt(counter));
    }

    fn zero(&mut self, counter: usize) {
        self.op(Op::Push(0));
        self.op(Op::SetInt(counter));
    }

    fn is_less(&mut self, counter: usize, bound: i32) {
        self.op(Op::Int(counter));
        self.op(Op::Push(bound));
        self.op(Op::Binary(Binary::Lt));
    }

    /// Evaluates an expression whose value is not used.
    pub(super) fn discard(&mut self, e: &Expr) {
        self.expr(e);
        if matches!(self.ops.last(), Some(Op::Use)) {
            // A function may end without this value.
            self.ops.pop();
            self.marks.pop();
        }
        self.op(Op::Pop);
    }

    fn stmt(&mut self, action: &Action) {
        match action {
            Action::Do(e) => self.discard(e),
            Action::SetInt(l, e) => {
                self.expr(e);
                self.op(Op::SetInt(*l));
            }
            Action::If(e, yes, no) => {
                self.expr(e);
                let other = self.jump(true);
                self.stmts(yes);
                let end = self.jump(false);
                self.here(other);
                self.stmts(no);
                self.here(end);
            }
            Action::For(counter, times, body) => {
                self.zero(*counter);
                let head = self.ops.len();
                self.is_less(*counter, *times);
                let end = self.jump(true);
                self.begin_loop();
                self.stmts(body);
                let next = self.continues.pop();
                self.land(next);
                self.count(*counter);
                self.op(Op::Jump(head));
                self.here(end);
                let ends = self.breaks.pop();
                self.land(ends);
            }
            Action::While(counter, times, e, body) => {
                self.zero(*counter);
                let head = self.ops.len();
                self.is_less(*counter, *times);
                self.count(*counter);
                let end = self.jump(true);
                self.expr(e);
                let other_end = self.jump(true);
                self.begin_loop();
                self.stmts(body);
                let next = self.continues.pop();
                self.land(next);
                self.op(Op::Jump(head));
                self.here(end);
                self.here(other_end);
                let ends = self.breaks.pop();
                self.land(ends);
            }
            Action::DoWhile(counter, times, e, body) => {
                self.zero(*counter);
                let head = self.ops.len();
                self.begin_loop();
                self.stmts(body);
                let next = self.continues.pop();
                self.land(next);
                self.count(*counter);
                self.is_less(*counter, *times);
                let end = self.jump(true);
                self.expr(e);
                let other_end = self.jump(true);
                self.op(Op::Jump(head));
                self.here(end);
                self.here(other_end);
                let ends = self.breaks.pop();
                self.land(ends);
            }
            Action::Loop(e, body) => {
                let head = self.ops.len();
                self.expr(e);
                let end = self.jump(true);
                self.begin_loop();
                self.stmts(body);
                let next = self.continues.pop().unwrap_or_default();
                for jump in next {
                    self.ops[jump] = Op::Jump(head);
                }
                self.op(Op::Jump(head));
                self.here(end);
                let ends = self.breaks.pop();
                self.land(ends);
            }
            Action::Switch(e, cases) => self.switch(e, cases),
            Action::Break => {
                let jump = self.jump(false);
                self.breaks.last_mut().expect("in a loop").push(jump);
            }
            Action::Continue => {
                let jump = self.jump(false);
                self.continues.last_mut().expect("in a loop").push(jump);
            }
            Action::GotoIf(e, label) => {
                self.expr(e);
                self.op(Op::Not);
                let jump = self.jump(true);
                self.labels.push((*label, jump));
            }
            Action::Label(label) => {
                let (here, other) = std::mem::take(&mut self.labels)
                    .into_iter()
                    .partition(|(to, _)| to == label);
                self.labels = other;
                self.land(Some(here.into_iter().map(|(_, jump)| jump).collect()));
            }
            Action::Atomic(body) => {
                self.op(Op::Begin);
                self.stmts(body);
                self.op(Op::End);
            }
            Action::CreateAll(threads, routine) => {
                for thread in 0..*threads {
                    self.op(Op::Push(thread as i32));
                    self.op(Op::Create(thread, *routine));
                }
            }
            Action::JoinAll(threads) => {
                for thread in 0..*threads {
                    self.op(Op::Join(thread));
                    self.op(Op::SetInt(RESULTS + thread));
                }
            }
            action => self.simple(action),
        }
    }

    /// The value is kept in no local: each comparison evaluates the top.
    fn switch(&mut self, e: &Expr, cases: &[(Vec<Stmt>, bool)]) {
        self.expr(e);
        let mut entries = Vec::new();
        for at in 0..cases.len() - 1 {
            self.op(Op::Again);
            self.op(Op::Push(at as i32));
            self.op(Op::Binary(Binary::Ne));
            entries.push(self.jump(true));
        }
        let default = self.jump(false);
        entries.push(default);
        self.breaks.push(Vec::new());
        let mut falls_into = None;
        for (entry, (body, falls)) in entries.into_iter().zip(cases) {
            self.here(entry);
            self.op(Op::Pop);
            if let Some(jump) = falls_into.take() {
                self.here(jump);
            }
            self.stmts(body);
            let jump = self.jump(false);
            if *falls {
                falls_into = Some(jump);
            } else {
                self.breaks.last_mut().expect("a switch").push(jump);
            }
        }
        let mut ends = self.breaks.pop().expect("a switch");
        ends.extend(falls_into);
        self.land(Some(ends));
    }

    fn simple(&mut self, action: &Action) {
        match action {
            Action::Spin(place, value) => {
                let head = self.ops.len();
                self.place(place);
                self.op(Op::Load);
                self.op(Op::Push(*value));
                self.op(Op::Binary(Binary::Eq));
                self.op(Op::Unless(head));
            }
            Action::Lock(lock, sharing) => self.op(Op::Lock(LOCKS[*lock], *sharing)),
            Action::Unlock(lock) => self.op(Op::Unlock(LOCKS[*lock])),
            Action::WaitCondition => {
                // It may return at any time.
                self.op(Op::Choose(0));
                let waits = self.ops.len() - 1;
                self.op(Op::Unlock(LOCKS[0]));
                let end = self.jump(false);
                self.here(waits);
                self.op(Op::Sleep(LOCKS[0]));
                self.op(Op::Woken);
                self.here(end);
                self.op(Op::Lock(LOCKS[0], Sharing::Writer));
            }
            Action::Signal(all) => self.op(Op::Wake(*all)),
            Action::Fence(true) => self.op(Op::Fence),
            Action::Fence(false) => self.op(Op::Line),
            Action::Post => self.op(Op::Post),
            Action::Take => self.op(Op::Take),
            Action::Once(id) => {
                self.op(Op::Once(0));
                let done = self.ops.len() - 1;
                self.op(Op::Push(*id as i32));
                self.op(Op::Push(0));
                self.op(Op::Call);
                self.op(Op::Pop);
                self.op(Op::Line);
                self.op(Op::Push(ONCE as i32));
                self.op(Op::Push(2));
                self.op(Op::Store(Shape::Plain));
                self.here(done);
            }
            Action::Point(p, to) => {
                self.pointer(to);
                self.op(Op::SetInt(*p));
            }
            Action::Publish(to, order) => {
                self.op(Op::Push(HEAD as i32));
                self.pointer(to);
                self.store_as(Shape::Plain, *order);
            }
            Action::Link(p, to) => {
                self.pointer(to);
                self.pointer(&Pointer::Local(*p));
                self.op(Op::Field(2));
                self.op(Op::Swap);
                self.op(Op::Store(Shape::Plain));
            }
            Action::Allocate(p, cleared) => {
                self.op(Op::Allocate(*cleared));
                self.op(Op::SetInt(*p));
            }
            Action::Free(p) => {
                self.op(Op::Int(*p));
                self.op(Op::Free);
            }
            Action::CopyPair(to, from) => {
                for member in 0..2 {
                    self.op(Op::Push((PAIRS + 2 * from + member) as i32));
                    self.op(Op::Load);
                }
                for member in [1, 0] {
                    // Members are stored in order: the first one is under the second.
                    if member == 1 {
                        self.op(Op::Swap);
                    }
                    self.op(Op::Push((PAIRS + 2 * to + 1 - member) as i32));
                    self.op(Op::Swap);
                    self.op(Op::Store(Shape::Plain));
                }
            }
            Action::Assert(e) => {
                self.expr(e);
                self.op(Op::Assert);
            }
            Action::Assume(e) => {
                self.expr(e);
                self.op(Op::Assume);
            }
            Action::EndProcess => self.op(Op::EndProcess),
            Action::Return(e) => {
                self.expr(e.as_ref().unwrap_or(&Expr::Const(0)));
                self.op(if self.is_routine() {
                    Op::Exit
                } else {
                    Op::Return
                });
            }
            Action::ReturnNode(to) => {
                self.pointer(to);
                self.op(Op::Return);
            }
            Action::Exit(e) => {
                self.expr(e);
                self.op(Op::Exit);
            }
            Action::Create(slot, routine, argument) => {
                match argument {
                    Argument::Nothing => self.op(Op::Push(0)),
                    Argument::Int(e) => self.expr(e),
                    Argument::Node(to) => self.pointer(to),
                }
                self.op(Op::Create(*slot, *routine));
            }
            Action::Join(slot, taken) => {
                self.op(Op::Join(*slot));
                self.op(if *taken {
                    Op::SetInt(RESULTS + slot)
                } else {
                    Op::Pop
                });
            }
            other => unreachable!("{other:?} has statements inside"),
        }
    }

    fn is_routine(&self) -> bool {
        use super::Gives;
        matches!(
            self.draft.functions[self.id].gives,
            Gives::Result | Gives::Main
        )
    }
}
