//! Statements at random.

use super::super::ast::{
    Action, COUNTERS, Expr, Gives, Locks, MOST_COUNTERS, Order, POINTERS, Place, Pointer, Sharing,
    Stmt, Takes, UNSET,
};
use super::{Family, Maker};

impl Maker {
    /// Up to so many statements.
    pub(super) fn block(&mut self, most: usize) -> Vec<Stmt> {
        let mut block = Vec::new();
        for _ in 0..=self.random.below(most.max(1)) {
            self.stmt(&mut block);
        }
        block
    }

    fn inner(&mut self, most: usize) -> Vec<Stmt> {
        self.scope.depth += 1;
        let block = self.block(most);
        self.scope.depth -= 1;
        block
    }

    fn local(&mut self) -> usize {
        let is_main = self.scope.gives == Some(Gives::Main);
        if self.scope.has_unset && self.random.rarely(3) {
            return UNSET;
        }
        // The last one of `main` is whether a thread was created.
        let is_routine = self.scope.gives == Some(Gives::Result);
        if is_routine && !self.random.rarely(5) {
            // The others keep what was seen first.
            return 0;
        }
        self.random.below(if is_main { 2 } else { 3 })
    }

    fn push(&mut self, block: &mut Vec<Stmt>, action: Action) {
        let stmt = self.at(action);
        block.push(stmt);
    }

    /// Adds a statement, or several that belong together.
    fn stmt(&mut self, block: &mut Vec<Stmt>) {
        let theme = if self.random.rarely(2) {
            self.random.of(&self.themes)
        } else {
            self.random.below(9)
        };
        let is_nested = self.scope.depth >= 2;
        match theme {
            0 => {
                let e = self.effect();
                self.push(block, Action::Do(e));
            }
            1 => self.exchange_news(block),
            2 if !is_nested => self.branch(block),
            3 if !is_nested => self.repeat(block),
            4 if !is_nested => self.critical(block),
            5 => self.synchronise(block),
            6 => self.nodes(block),
            7 => self.compare(block),
            8 if !is_nested => self.jump(block),
            _ => {
                let (local, e) = (self.local(), self.expr(2));
                self.push(block, Action::SetInt(local, e));
            }
        }
        if self.random.rarely(9) && !self.scope.is_alone {
            let e = self.claim();
            self.push(block, Action::Assert(e));
        }
    }

    /// Two accesses, of one place and of another: the halves of store buffering and message passing.
    pub(super) fn exchange_news(&mut self, block: &mut Vec<Stmt>) {
        if !self.afford(2) {
            return;
        }
        let mut places = self.hot;
        let (shape, reverses) = match (self.family, self.functions.len() % 2) {
            (Family::StoreBuffering, parity) => (0, parity == 1),
            (Family::MessagePassing, 0) => (2, false),
            (Family::MessagePassing, _) => (3, true),
            (Family::Any, _) => (self.random.below(4), self.random.rarely(2)),
        };
        if reverses {
            places.reverse();
        }
        for (at, place) in places.into_iter().enumerate() {
            let place = Place::Named(place);
            // A store and a load, two stores, two loads.
            if [at == 0, at == 0, true, false][shape] {
                let order = self
                    .random
                    .of(&[Order::Relaxed, Order::Relaxed, Order::Half]);
                let value = Expr::Const(1 + self.random.below(2) as i32);
                let store = Expr::StoreAs(place, Box::new(value), order);
                self.push(block, Action::Do(store));
            } else {
                let local = 1 + at % 2;
                let load = Expr::LoadAs(place, Order::Half);
                self.push(block, Action::SetInt(local, load));
            }
            if at == 0 && self.random.rarely(4) {
                self.stmt(block);
            }
        }
    }

    /// What an assertion claims: mostly something that is true of some executions.
    fn claim(&mut self) -> Expr {
        let e = self.expr(2);
        if self.random.rarely(2) {
            Expr::Either(Box::new(e), Box::new(Expr::Const(1)))
        } else {
            let seven = Box::new(Expr::Const(self.random.below(3) as i32));
            Expr::Not(Box::new(Expr::Binary(
                super::super::ast::Binary::Eq,
                Box::new(e),
                seven,
            )))
        }
    }

    fn branch(&mut self, block: &mut Vec<Stmt>) {
        let e = self.expr(2);
        let yes = self.inner(2);
        let no = if self.random.rarely(2) {
            self.inner(2)
        } else {
            Vec::new()
        };
        self.push(block, Action::If(e, yes, no));
    }

    fn repeat(&mut self, block: &mut Vec<Stmt>) {
        if self.random.rarely(3) {
            let cases = 2 + self.random.below(2);
            let e = self.expr(1);
            self.scope.around.push(false);
            let mut all = Vec::new();
            for at in 0..cases {
                let body = self.inner(1);
                all.push((body, at + 1 < cases && self.random.rarely(3)));
            }
            self.scope.around.pop();
            self.push(block, Action::Switch(e, all));
            return;
        }
        if self.scope.counters == MOST_COUNTERS || self.scope.times > 1 {
            return;
        }
        let counter = COUNTERS + self.scope.counters;
        self.scope.counters += 1;
        let times = 1 + self.random.below(2);
        self.scope.times *= times;
        let e = self.expr(1);
        self.scope.around.push(true);
        let body = self.inner(2);
        self.scope.around.pop();
        self.scope.times /= times;
        let times = times as i32;
        let action = match self.random.below(3) {
            0 => Action::For(counter, times, body),
            1 => Action::While(counter, times, e, body),
            _ => Action::DoWhile(counter, times, Expr::Load(Place::Named(0)), body),
        };
        self.push(block, action);
    }

    fn sharing(&mut self) -> Sharing {
        self.random.of(&[Sharing::Reader, Sharing::Writer])
    }

    /// A critical section, perhaps entered by an attempt, or wrong.
    fn critical(&mut self, block: &mut Vec<Stmt>) {
        if self.scope.is_closed || self.scope.is_alone || !self.afford(2) {
            return;
        }
        let (lock, sharing) = (self.random.below(3), self.sharing());
        let outside = std::mem::replace(&mut self.scope.is_closed, true);
        let mut body = Vec::new();
        if lock > 0 && self.afford(2) {
            let inside = Place::Named(13 + lock);
            let step = Expr::Step(inside, true, false);
            self.push(&mut body, Action::Do(step));
        }
        body.extend(self.inner(2));
        let conditional = matches!(self.locks, Locks::Mutex | Locks::C11);
        if conditional && lock == 0 && self.random.rarely(3) {
            self.push(&mut body, Action::WaitCondition);
            body.extend(self.inner(1));
        }
        self.scope.is_closed = outside;
        let unlock = self.at(Action::Unlock(lock));
        let forgets = self.careless && self.random.rarely(5);
        if self.random.rarely(3) {
            let attempt = Expr::TryLock(lock, sharing);
            if forgets {
                self.push(block, Action::If(attempt, body, Vec::new()));
                block.push(unlock);
            } else {
                body.push(unlock);
                let other = if self.random.rarely(2) {
                    self.inner(1)
                } else {
                    Vec::new()
                };
                self.push(block, Action::If(attempt, body, other));
            }
            return;
        }
        if !(forgets && self.random.rarely(2)) {
            self.push(block, Action::Lock(lock, sharing));
        }
        block.extend(body);
        block.push(unlock);
    }

    fn synchronise(&mut self, block: &mut Vec<Stmt>) {
        if self.scope.is_alone || !self.afford(1) {
            return;
        }
        let in_routine = self.scope.gives == Some(Gives::Result);
        let action = match self.random.below(9) {
            0 => Action::Fence(true),
            1 => Action::Fence(false),
            2 | 3 => Action::Post,
            4 => Action::Take,
            5 => Action::Signal(self.locks != Locks::C11),
            6 if in_routine && self.scope.depth == 0 && self.barriers == 0 => {
                self.barriers = 1;
                let serial = self.local();
                Action::SetInt(serial, Expr::Barrier)
            }
            7 => {
                let all: Vec<usize> = (0..self.functions.len())
                    .filter(|&id| {
                        let function = &self.functions[id];
                        (function.takes, function.gives) == (Takes::Nothing, Gives::Nothing)
                    })
                    .collect();
                match all.first() {
                    Some(&id) => Action::Once(id),
                    None => Action::Signal(self.locks != Locks::C11),
                }
            }
            8 if in_routine && self.random.rarely(2) => {
                let value = self.random.below(2) as i32;
                Action::Spin(Place::Named(self.random.below(2)), value)
            }
            _ => {
                let mut body = Vec::new();
                for _ in 0..2 {
                    let (place, e) = (Place::Named(2 + self.random.below(2)), self.pure(1));
                    let e = if self.random.rarely(2) {
                        Expr::Set(place, Box::new(e))
                    } else {
                        Expr::Update(super::super::ast::Binary::Add, place, Box::new(e))
                    };
                    self.push(&mut body, Action::Do(e));
                }
                Action::Atomic(body)
            }
        };
        self.push(block, action);
    }

    /// Pointers to nodes.
    fn nodes(&mut self, block: &mut Vec<Stmt>) {
        let p = POINTERS + self.random.below(2);
        let outside = self.scope.times > 1 || self.scope.is_alone;
        match self.random.below(10) {
            0 | 1 => {
                let to = if self.careless && self.random.rarely(4) {
                    Pointer::Null
                } else {
                    self.pointer()
                };
                self.push(block, Action::Point(p, to));
            }
            2 if self.afford(1) => {
                let to = Pointer::Local(p);
                let order = self
                    .random
                    .of(&[Order::Relaxed, Order::Half, Order::SeqCst]);
                self.push(block, Action::Publish(to, order));
            }
            3 if self.afford(1) => {
                let (from, to) = (self.local_pointer(), self.pointer());
                self.push(block, Action::Link(from, to));
            }
            4 if !outside => {
                let cleared = self.random.rarely(2);
                self.push(block, Action::Allocate(p, cleared));
                if !cleared && self.afford(1) && !self.random.rarely(4) {
                    let key = Place::Key(Pointer::Local(p));
                    let e = Box::new(self.pure(1));
                    let e = if self.random.rarely(2) {
                        Expr::StoreAs(key, e, Order::Relaxed)
                    } else {
                        Expr::Set(key, e)
                    };
                    self.push(block, Action::Do(e));
                }
            }
            5 | 8 | 9 if self.afford(2) => {
                // What is published is used.
                let is_checked = !(self.careless && self.random.rarely(2));
                self.push(block, Action::Point(p, Pointer::Head));
                let to = Pointer::Local(p);
                let e = Expr::Load(Place::Key(to.clone()));
                let local = self.local();
                let mut body = Vec::new();
                self.push(&mut body, Action::SetInt(local, e));
                if self.careless && self.random.rarely(2) {
                    self.push(&mut body, Action::Free(p));
                }
                if is_checked {
                    self.push(block, Action::If(Expr::IsSet(to), body, Vec::new()));
                } else {
                    block.extend(body);
                }
            }
            6 if self.careless => self.push(block, Action::Free(p)),
            7 if !self.scope.is_alone && self.afford(4) => {
                let (to, from) = (self.random.below(2), self.random.below(2));
                self.push(block, Action::CopyPair(to, from));
            }
            _ => {
                let e = self.effect();
                self.push(block, Action::Do(e));
            }
        }
    }

    /// A compare-exchange whose expected value is set before it.
    fn compare(&mut self, block: &mut Vec<Stmt>) {
        if !self.afford(1) {
            return;
        }
        let (wanted, desired) = (self.pure(1), self.pure(1));
        let place = Place::Named(self.random.of(&[0, 1, 5, 6, 11]));
        self.push(block, Action::SetInt(3, wanted));
        let e = Expr::Compare(place, 3, Box::new(desired));
        if self.random.rarely(2) && self.scope.depth < 2 {
            let (yes, no) = (self.inner(1), self.inner(1));
            self.push(block, Action::If(e, yes, no));
        } else {
            let local = self.local();
            self.push(block, Action::SetInt(local, e));
            if self.random.rarely(2) {
                self.push(block, Action::SetInt(0, Expr::Int(3)));
            }
        }
    }

    /// `break`, `continue`, `goto`, `return`.
    fn jump(&mut self, block: &mut Vec<Stmt>) {
        let choice = self.random.below(4);
        if choice == 0 && self.scope.depth == 0 && !self.scope.is_closed {
            let label = self.scope.labels;
            self.scope.labels += 1;
            let e = self.expr(1);
            self.push(block, Action::GotoIf(e, label));
            let passed = self.inner(2);
            block.extend(passed);
            self.push(block, Action::Label(label));
            return;
        }
        let is_open = !self.scope.is_closed;
        let leaves = match self.scope.around.last() {
            Some(true) if is_open && choice == 1 => Some(Action::Continue),
            Some(_) if is_open && choice < 3 => Some(Action::Break),
            Some(_) | None => None,
        };
        let returns = !self.scope.is_closed && self.scope.gives == Some(Gives::Int);
        let action = match leaves {
            Some(action) => action,
            None if returns => {
                let e = self.pure(1);
                Action::Return(Some(e))
            }
            None => return,
        };
        let e = self.expr(1);
        let leave = self.at(action);
        self.push(block, Action::If(e, vec![leave], Vec::new()));
    }
}
