//! Programs whose threads wait for each other, at random: each is about locks, a condition, a semaphore,
//! a barrier, a handshake or flags, with what is usually wrong with them.

use super::super::ast::{
    Action, Argument, Binary, Draft, Expr, Function, Gives, Locks, Order, Place, Sharing, Stmt,
    Takes,
};
use super::{Maker, Scope};

/// What the threads wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum About {
    Locks,
    Condition,
    Semaphore,
    Barrier,
    Handshake,
    Flags,
}

use About::{Barrier, Condition, Flags, Handshake, Semaphore};

/// Entries of the named places: two flags, what a lock guards, and a flag that wakes.
const FLAGS: [usize; 2] = [0, 1];
const GUARDED: usize = 2;
const WOKEN: usize = 5;

fn equal(a: Expr, value: i32) -> Expr {
    Expr::Binary(Binary::Eq, Box::new(a), Box::new(Expr::Const(value)))
}

fn differs(a: Expr, value: i32) -> Expr {
    Expr::Binary(Binary::Ne, Box::new(a), Box::new(Expr::Const(value)))
}

fn load(place: usize) -> Expr {
    Expr::LoadAs(Place::Named(place), Order::Half)
}

fn set(place: usize, value: i32) -> Action {
    let value = Box::new(Expr::Const(value));
    Action::Do(Expr::Set(Place::Named(place), value))
}

fn plain(gives: Gives, body: Vec<Stmt>) -> Function {
    Function {
        takes: Takes::Nothing,
        gives,
        body,
        cost: 1,
        has_unset: false,
        is_recursive: false,
        lacks_value: false,
    }
}

impl Maker {
    pub(super) fn program_that_waits(mut self) -> Draft {
        let all = [
            About::Locks,
            Condition,
            Condition,
            Semaphore,
            Barrier,
            Handshake,
            Handshake,
            Flags,
        ];
        let about = self.random.of(&all);
        let other = self.random.of(&all);
        if [about, other].contains(&Condition) {
            self.locks = self.random.of(&[Locks::Mutex, Locks::C11]);
        }
        if self.random.rarely(8) {
            let body = self.part(about, 0);
            self.functions.push(plain(Gives::Nothing, body));
        }
        let first_routine = self.functions.len();
        let threads = if self.random.rarely(3) { 3 } else { 2 };
        let routines = if self.random.rarely(5) { 1 } else { threads };
        let is_reversed = self.random.rarely(2);
        for number in 0..routines {
            let role = if is_reversed {
                routines - 1 - number
            } else {
                number
            };
            let mut body = self.part(about, role);
            if threads == 2 && self.random.rarely(6) {
                body.extend(self.part(other, role));
            }
            if first_routine == 1 && self.random.rarely(2) {
                let once = self.at(Action::Once(0));
                let at = self.random.below(body.len() + 1);
                body.insert(at, once);
            }
            if self.random.rarely(12) {
                let end = self.at(Action::EndProcess);
                let seen = load(self.random.below(2));
                body.push(self.at(Action::If(seen, vec![end], Vec::new())));
            }
            self.functions.push(plain(Gives::Result, body));
        }
        let main = self.main_that_waits(first_routine, threads, about);
        self.functions.push(plain(Gives::Main, main));
        let waiting = match self.random.below(4) {
            0 => threads - 1,
            1 => threads + 1,
            _ => threads,
        };
        Draft {
            functions: self.functions,
            locks: self.locks,
            table: Vec::new(),
            observed: Vec::new(),
            threads,
            waiting,
            permits: i32::from(self.random.rarely(3)),
            split: false,
        }
    }

    fn main_that_waits(&mut self, first: usize, threads: usize, about: About) -> Vec<Stmt> {
        let mut main = Vec::new();
        if self.random.rarely(8) {
            main.extend(self.part(about, 0));
        }
        let routines = self.functions.len() - first;
        let is_conditional = self.random.rarely(5);
        if is_conditional {
            let seen = load(self.random.below(2));
            main.push(self.at(Action::SetInt(2, seen)));
        }
        for thread in 0..threads {
            let routine = first + thread % routines;
            let create = self.at(Action::Create(thread, routine, Argument::Nothing));
            if is_conditional && thread + 1 == threads {
                main.push(self.at(Action::If(Expr::Int(2), vec![create], Vec::new())));
            } else {
                main.push(create);
            }
        }
        if self.random.rarely(4) {
            let role = self.random.below(3);
            main.extend(self.part(about, role));
        }
        let joins = !self.random.rarely(5);
        for thread in 0..threads {
            if joins && !self.random.rarely(12) {
                let join = self.at(Action::Join(thread, false));
                if is_conditional && thread + 1 == threads {
                    main.push(self.at(Action::If(Expr::Int(2), vec![join], Vec::new())));
                } else {
                    main.push(join);
                }
            }
        }
        if self.random.rarely(if joins { 4 } else { 2 }) {
            main.push(self.at(Action::Exit(Expr::Const(0))));
        }
        main
    }

    /// What one thread does.
    fn part(&mut self, about: About, role: usize) -> Vec<Stmt> {
        let mut block = Vec::new();
        if self.random.rarely(12) {
            block.extend(self.something());
        }
        match about {
            About::Locks => self.nest(&mut block),
            Condition => self.condition(&mut block, role),
            Semaphore => self.semaphore(&mut block),
            Barrier => {
                for _ in 0..=self.random.below(2) {
                    self.push_all(&mut block, [Action::SetInt(0, Expr::Barrier)]);
                }
            }
            Handshake => self.handshake(&mut block, role),
            Flags => self.flags(&mut block),
        }
        if self.random.rarely(12) {
            block.extend(self.something());
        }
        block
    }

    fn push_all<const N: usize>(&mut self, block: &mut Vec<Stmt>, actions: [Action; N]) {
        for action in actions {
            block.push(self.at(action));
        }
    }

    /// Any statement that other programs have.
    fn something(&mut self) -> Vec<Stmt> {
        self.scope = Scope {
            left: 2,
            gives: Some(Gives::Result),
            times: 1,
            ..Scope::default()
        };
        if self.random.rarely(4) {
            let e = match self.random.below(3) {
                0 => Expr::Const(self.random.below(2) as i32),
                _ => load(self.random.below(2)),
            };
            let action = if self.random.rarely(2) {
                Action::Assume(e)
            } else {
                Action::Assert(e)
            };
            return vec![self.at(action)];
        }
        self.block(1)
    }

    /// Locks inside of each other, in some order; some are not released.
    fn nest(&mut self, block: &mut Vec<Stmt>) {
        let mut locks = vec![0, 1, 2];
        locks.swap(0, 1 + self.random.below(2));
        if !self.random.rarely(6) {
            locks.pop();
        }
        if self.random.rarely(3) {
            locks.reverse();
        }
        if self.random.rarely(6) {
            // It waits for itself.
            let again = self.random.of(&locks);
            locks.push(again);
        }
        let mut taken = Vec::new();
        for lock in locks {
            let sharing = self.random.of(&[Sharing::Reader, Sharing::Writer]);
            match self.random.below(10) {
                0 => {
                    let until = Expr::Not(Box::new(Expr::TryLock(lock, sharing)));
                    self.push_all(block, [Action::Loop(until, Vec::new())]);
                }
                1 => {
                    let unlock = self.at(Action::Unlock(lock));
                    let attempt = Expr::TryLock(lock, sharing);
                    self.push_all(block, [Action::If(attempt, vec![unlock], Vec::new())]);
                    continue;
                }
                _ => self.push_all(block, [Action::Lock(lock, sharing)]),
            }
            taken.push(lock);
        }
        if self.random.rarely(2) {
            taken.reverse();
        }
        for lock in taken {
            if !self.random.rarely(10) {
                self.push_all(block, [Action::Unlock(lock)]);
            }
        }
    }

    /// A thread that waits for the condition, or one that wakes it: under the lock, after it, before
    /// what is waited for, or not at all.
    fn condition(&mut self, block: &mut Vec<Stmt>, role: usize) {
        let (lock, unlock) = (Action::Lock(0, Sharing::Writer), Action::Unlock(0));
        let guarded = || Expr::Load(Place::Named(GUARDED));
        if role == 0 || role == 2 && self.random.rarely(2) {
            self.push_all(block, [lock]);
            let wait = self.at(Action::WaitCondition);
            let wait = match self.random.below(6) {
                0 => Action::If(equal(guarded(), 0), vec![wait], Vec::new()),
                1 => wait.action,
                _ => Action::Loop(equal(guarded(), 0), vec![wait]),
            };
            self.push_all(block, [wait]);
            if self.random.rarely(4) {
                // Only one that was woken for no reason.
                let take = self.at(Action::Take);
                let again = Action::If(equal(guarded(), 0), vec![take], Vec::new());
                self.push_all(block, [again]);
            }
            if self.random.rarely(4) {
                let down = Expr::Step(Place::Named(GUARDED), false, true);
                self.push_all(block, [Action::Do(down)]);
            }
            if self.random.rarely(8) {
                self.push_all(block, [Action::Signal(false)]);
            }
            self.push_all(block, [unlock]);
            return;
        }
        let wake = Action::Signal(self.random.rarely(3));
        let up = Action::Do(Expr::Step(Place::Named(GUARDED), true, true));
        match self.random.below(9) {
            0 => self.push_all(block, [wake, lock, up, unlock]),
            1 => self.push_all(block, [lock, wake, unlock]),
            2 => self.push_all(block, [lock, up, unlock]),
            3 | 4 => self.push_all(block, [lock, up, unlock, wake]),
            5 => {
                let attempt = Expr::TryLock(0, Sharing::Writer);
                let mut body = Vec::new();
                self.push_all(&mut body, [up, unlock]);
                self.push_all(block, [wake, Action::If(attempt, body, Vec::new())]);
            }
            _ => self.push_all(block, [lock, up, wake, unlock]),
        }
    }

    fn semaphore(&mut self, block: &mut Vec<Stmt>) {
        for _ in 0..=self.random.below(3) {
            let action = match self.random.below(8) {
                0..=2 => Action::Take,
                3..=5 => Action::Post,
                6 => Action::Loop(Expr::Not(Box::new(Expr::TryWait)), Vec::new()),
                _ => {
                    let post = self.at(Action::Post);
                    Action::If(Expr::TryWait, vec![post], Vec::new())
                }
            };
            self.push_all(block, [action]);
        }
    }

    /// Each announces something and looks at the other: one then sleeps, the other one wakes it.
    fn handshake(&mut self, block: &mut Vec<Stmt>, role: usize) {
        let role = role % 2;
        if self.hot == [1, 0] {
            self.message(block, role);
            return;
        }
        let orders = [Order::Relaxed, Order::Half, Order::Half, Order::SeqCst];
        let order = self.random.of(&orders);
        let one = Box::new(Expr::Const(1));
        let announce = Expr::StoreAs(Place::Named(FLAGS[role]), one, order);
        self.push_all(block, [Action::Do(announce)]);
        match self.random.below(8) {
            0 | 1 => self.push_all(block, [Action::Fence(true)]),
            2 => self.push_all(block, [Action::Fence(false)]),
            // It is a fence as well.
            3 => self.push_all(block, [Action::Signal(order != Order::Half)]),
            _ => {}
        }
        let by_semaphore = self.family == super::Family::MessagePassing;
        let (sleep, wake) = if by_semaphore {
            (Action::Take, Action::Post)
        } else {
            let until = differs(load(WOKEN), 1);
            (Action::Loop(until, Vec::new()), set(WOKEN, 1))
        };
        let other = load(FLAGS[1 - role]);
        let action = if role == 0 {
            let sleep = self.at(sleep);
            Action::If(equal(other, 0), vec![sleep], Vec::new())
        } else {
            let wake = self.at(wake);
            Action::If(equal(other, 1), vec![wake], Vec::new())
        };
        self.push_all(block, [action]);
    }

    /// A message and then a flag; if the message is missing, its reader waits for more.
    fn message(&mut self, block: &mut Vec<Stmt>, role: usize) {
        let [message, flag] = FLAGS.map(Place::Named);
        if role == 0 {
            let take = self.at(Action::Take);
            let missing = Action::If(equal(load(FLAGS[0]), 0), vec![take], Vec::new());
            self.push_all(block, [Action::Spin(flag, 1), missing]);
            return;
        }
        let order = self
            .random
            .of(&[Order::Relaxed, Order::Relaxed, Order::Half]);
        let store = |to: Place, order| Expr::StoreAs(to, Box::new(Expr::Const(1)), order);
        let (first, second) = (store(message, Order::Relaxed), store(flag, order));
        self.push_all(block, [Action::Do(first), Action::Do(second)]);
    }

    /// Stores to flags, and loops that wait for them in all forms.
    fn flags(&mut self, block: &mut Vec<Stmt>) {
        for _ in 0..=self.random.below(3) {
            let [mut a, mut b] = FLAGS;
            if self.random.rarely(2) {
                (a, b) = (b, a);
            }
            let value = self.random.below(2) as i32;
            let order = self.order();
            let one = Box::new(Expr::Const(1));
            let open = differs(load(a), value);
            let action = match self.random.below(18) {
                0..=6 => Action::Do(Expr::StoreAs(Place::Named(a), one, order)),
                7 => Action::Spin(Place::Named(a), value),
                8 => {
                    let taken = Expr::Exchange(Place::Named(a), one);
                    Action::Loop(equal(taken, 1), Vec::new())
                }
                9 => {
                    let wanted = Action::SetInt(3, Expr::Const(value));
                    let again = self.at(wanted.clone());
                    self.push_all(block, [wanted]);
                    let other = Box::new(Expr::Const(1 - value));
                    let done = Expr::Compare(Place::Named(a), 3, other);
                    Action::Loop(Expr::Not(Box::new(done)), vec![again])
                }
                10 => {
                    let both = Expr::Binary(Binary::Ne, Box::new(load(a)), Box::new(load(b)));
                    Action::Loop(both, Vec::new())
                }
                11 => {
                    let same = self.at(set(b, value));
                    Action::Loop(open, vec![same])
                }
                12 => {
                    let mut body = Vec::new();
                    self.push_all(&mut body, [set(b, 1), set(b, 0)]);
                    Action::Loop(open, body)
                }
                13 => {
                    let one = Box::new(Expr::Const(1));
                    let flip = Expr::Binary(Binary::Xor, Box::new(Expr::Int(1)), one);
                    let flip = self.at(Action::SetInt(1, flip));
                    Action::Loop(open, vec![flip])
                }
                14 => {
                    let leave = self.at(Action::Break);
                    let leave = Action::If(equal(load(b), 1), vec![leave], Vec::new());
                    let leave = self.at(leave);
                    Action::Loop(open, vec![leave])
                }
                15 => {
                    let mut body = Vec::new();
                    let lock = Action::Lock(0, Sharing::Writer);
                    self.push_all(&mut body, [lock, Action::Unlock(0)]);
                    Action::Loop(open, body)
                }
                16 => {
                    let assume = self.at(Action::Assume(equal(load(b), 1)));
                    Action::Loop(open, vec![assume])
                }
                _ => Action::Loop(
                    Expr::Both(Box::new(open), Box::new(equal(load(b), 0))),
                    Vec::new(),
                ),
            };
            self.push_all(block, [action]);
        }
    }
}
