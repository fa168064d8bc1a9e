//! Programs at random: functions, routines of threads, `main`.

mod expressions;
mod statements;
mod waits;

use super::ast::{
    Action, Argument, Binary, Callee, Draft, Expr, Function, Gives, Locks, NAMED, Order, POINTERS,
    Place, Pointer, Stmt, Takes,
};
use crate::support::c_programs::Random;

/// The program that a seed stands for.
pub fn draft(seed: u64) -> Draft {
    maker(seed).program()
}

/// The program that a seed stands for, among those whose threads wait for each other.
pub fn draft_that_waits(seed: u64) -> Draft {
    maker(seed).program_that_waits()
}

fn maker(seed: u64) -> Maker {
    let mut random = Random(seed);
    let locks = random.of(&[Locks::Mutex, Locks::C11, Locks::Spin, Locks::ReadWrite]);
    Maker {
        // Most programs are right.
        careless: random.rarely(3),
        themes: [0; 3].map(|_| random.below(9)),
        family: random.of(&[Family::StoreBuffering, Family::MessagePassing, Family::Any]),
        hot: random.of(&[[0, 1], [1, 0], [0, 5], [1, 11], [5, 6]]),
        random,
        locks,
        functions: Vec::new(),
        statements: 0,
        scope: Scope::default(),
        barriers: 0,
    }
}

/// What the first accesses of the threads are together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    StoreBuffering,
    MessagePassing,
    Any,
}

/// What a statement at hand may do.
#[derive(Clone, Default, Debug)]
struct Scope {
    /// How many shared accesses are left to the function.
    left: usize,
    cost: usize,
    gives: Option<Gives>,
    has_unset: bool,
    counters: usize,
    labels: usize,
    depth: usize,
    /// Loops and switches, from the outside: whether `continue` is for it.
    around: Vec<bool>,
    /// Whether no jump may leave the block.
    is_closed: bool,
    /// How often a block is executed.
    times: usize,
    /// Whether `main` is alone.
    is_alone: bool,
}

struct Maker {
    random: Random,
    careless: bool,
    /// What the program is about: such statements are more frequent.
    themes: [usize; 3],
    family: Family,
    /// Atomic places that are used more often than others: entries of [`NAMED`].
    hot: [usize; 2],
    locks: Locks,
    functions: Vec<Function>,
    statements: usize,
    scope: Scope,
    /// How many threads wait at the barrier once.
    barriers: usize,
}

impl Maker {
    fn at(&mut self, action: Action) -> Stmt {
        self.statements += 1;
        Stmt {
            id: self.statements,
            action,
        }
    }

    fn program(mut self) -> Draft {
        let mut table = Vec::new();
        for _ in 0..self.random.below(3) {
            table.push(self.functions.len());
            let cost = 1 + self.random.below(2);
            self.function(Takes::Int, Gives::Int, cost);
        }
        if self.random.rarely(4) {
            self.recursive();
        }
        if self.random.rarely(3) {
            self.function(Takes::Node, Gives::Int, 2);
        }
        if self.random.rarely(3) {
            self.function(Takes::Int, Gives::Node, 1);
        }
        if self.random.rarely(3) {
            self.function(Takes::Nothing, Gives::Nothing, 2);
        }
        let three = self.random.rarely(4);
        let threads = if three { 3 } else { 2 };
        let routines = if self.random.rarely(6) { 1 } else { 2 };
        let length = if three { 6 } else { 9 };
        let first_routine = self.functions.len();
        for _ in 0..routines {
            let takes = self
                .random
                .of(&[Takes::Nothing, Takes::Int, Takes::Int, Takes::Node]);
            let cost = length - self.random.below(4);
            self.function(takes, Gives::Result, cost);
        }
        let main = self.main(first_routine, threads);
        self.functions.push(main);
        let mut observed: Vec<usize> = (0..NAMED.len()).collect();
        while observed.len() > 4 {
            let out = self.random.below(observed.len());
            observed.remove(out);
        }
        Draft {
            functions: self.functions,
            locks: self.locks,
            table,
            observed,
            threads,
            waiting: threads,
            permits: self.random.below(2) as i32,
            split: self.random.rarely(5),
        }
    }

    /// Adds a function with about so many shared accesses.
    fn function(&mut self, takes: Takes, gives: Gives, cost: usize) {
        self.scope = Scope {
            left: cost,
            gives: Some(gives),
            has_unset: self.careless && self.random.rarely(4),
            times: 1,
            ..Scope::default()
        };
        let mut body = Vec::new();
        if gives == Gives::Result && !self.random.rarely(8) {
            if self.random.rarely(4) {
                body.extend(self.block(1));
            }
            self.exchange_news(&mut body);
        }
        body.extend(self.block(2 + cost / 2));
        let lacks_value = self.careless && self.random.rarely(3);
        match gives {
            Gives::Int if lacks_value => {
                let e = self.pure(1);
                let value = self.pure(1);
                let inner = self.at(Action::Return(Some(value)));
                body.push(self.at(Action::If(e, vec![inner], Vec::new())));
            }
            Gives::Int => {
                let e = self.expr(1);
                body.push(self.at(Action::Return(Some(e))));
            }
            Gives::Result if !self.random.rarely(8) => {
                // What the thread has seen.
                let digit = |local: usize, factor: i32| {
                    let factor = Box::new(Expr::Const(factor));
                    Box::new(Expr::Binary(
                        Binary::Mul,
                        Box::new(Expr::Int(local)),
                        factor,
                    ))
                };
                let (a, b, c) = (digit(0, 1), digit(1, 10), digit(2, 100));
                let e = Expr::Binary(Binary::Add, Box::new(Expr::Binary(Binary::Add, a, b)), c);
                let exits = self.random.rarely(3);
                body.push(self.at(if exits {
                    Action::Exit(e)
                } else {
                    Action::Return(Some(e))
                }));
            }
            Gives::Node => {
                let to = self.pointer();
                body.push(self.at(Action::ReturnNode(to)));
            }
            Gives::Nothing | Gives::Result | Gives::Main => {}
        }
        self.functions.push(Function {
            takes,
            gives,
            body,
            cost: self.scope.cost.max(1),
            has_unset: self.scope.has_unset,
            is_recursive: false,
            lacks_value: gives == Gives::Int && lacks_value,
        });
    }

    /// `if (i0 < 1) return …; …; return f(i0 - 1) + …;`
    fn recursive(&mut self) {
        let id = self.functions.len();
        self.scope = Scope {
            left: 1,
            gives: Some(Gives::Int),
            times: 1,
            ..Scope::default()
        };
        let end = self.pure(1);
        let end = self.at(Action::Return(Some(end)));
        let is_end = Expr::Binary(Binary::Lt, Box::new(Expr::Int(0)), Box::new(Expr::Const(1)));
        let mut body = vec![self.at(Action::If(is_end, vec![end], Vec::new()))];
        let e = self.effect();
        body.push(self.at(Action::Do(e)));
        let less = Expr::Binary(
            Binary::Sub,
            Box::new(Expr::Int(0)),
            Box::new(Expr::Const(1)),
        );
        let again = Expr::Call(Callee::Direct(id), Box::new(less));
        let sum = Expr::Binary(Binary::Add, Box::new(again), Box::new(Expr::Int(0)));
        body.push(self.at(Action::Return(Some(sum))));
        self.functions.push(Function {
            takes: Takes::Int,
            gives: Gives::Int,
            body,
            cost: RECURSIVE,
            has_unset: false,
            is_recursive: true,
            lacks_value: false,
        });
    }

    fn argument(&mut self, routine: usize) -> Argument {
        match self.functions[routine].takes {
            Takes::Nothing => Argument::Nothing,
            Takes::Int => Argument::Int(self.pure(1)),
            Takes::Node => Argument::Node(if self.random.rarely(2) {
                Pointer::OfMain
            } else {
                Pointer::Node(self.random.below(2))
            }),
        }
    }

    fn main(&mut self, first_routine: usize, threads: usize) -> Function {
        self.scope = Scope {
            left: 3,
            gives: Some(Gives::Main),
            times: 1,
            is_alone: true,
            ..Scope::default()
        };
        let mut body = Vec::new();
        if self.random.rarely(2) {
            let cleared = self.random.rarely(2);
            body.push(self.at(Action::Allocate(POINTERS, cleared)));
            if !cleared {
                let to = Place::Key(Pointer::Local(POINTERS));
                let e = Expr::Set(to, Box::new(Expr::Const(1)));
                body.push(self.at(Action::Do(e)));
            }
            body.push(self.at(Action::Publish(Pointer::Local(POINTERS), Order::SeqCst)));
        } else if !self.random.rarely(2) {
            let to = Pointer::Node(self.random.below(2));
            body.push(self.at(Action::Publish(to, Order::Relaxed)));
        }
        body.extend(self.block(2));
        self.scope.is_alone = false;
        let routines: Vec<usize> = (first_routine..self.functions.len()).collect();
        let in_loop = self.random.rarely(if routines.len() == 1 { 2 } else { 12 })
            && self.functions[first_routine].takes != Takes::Node;
        if in_loop {
            body.push(self.at(Action::CreateAll(threads, first_routine)));
            self.scope.left = 1;
            if self.random.rarely(3) {
                body.extend(self.block(1));
            }
            body.push(self.at(Action::JoinAll(threads)));
        } else {
            body.extend(self.threads(&routines, threads));
        }
        Function {
            takes: Takes::Nothing,
            gives: Gives::Main,
            body,
            cost: 0,
            has_unset: false,
            is_recursive: false,
            lacks_value: false,
        }
    }

    /// Creates and joins threads, one after the other.
    fn threads(&mut self, routines: &[usize], threads: usize) -> Vec<Stmt> {
        let mut body = Vec::new();
        let mut joined = 0;
        // A thread under a condition, which is joined under the same one.
        let condition = self.random.rarely(6).then_some(2);
        for thread in 0..threads {
            let routine = routines[thread % routines.len()];
            let argument = self.argument(routine);
            let create = self.at(Action::Create(thread, routine, argument));
            let last = thread + 1 == threads;
            match condition {
                Some(local) if last => {
                    let seen = Expr::Load(Place::Named(self.random.below(2)));
                    body.push(self.at(Action::SetInt(local, seen)));
                    body.push(self.at(Action::If(Expr::Int(local), vec![create], Vec::new())));
                }
                Some(_) | None => body.push(create),
            }
            if !last && self.random.rarely(8) {
                // The next one is created when this one has ended.
                body.push(self.join(thread));
                joined = thread + 1;
            }
            if self.random.rarely(4) {
                self.scope.left = 1;
                body.extend(self.block(1));
            }
        }
        for thread in joined..threads {
            let join = self.join(thread);
            if condition.is_some() && thread + 1 == threads {
                body.push(self.at(Action::If(Expr::Int(2), vec![join], Vec::new())));
            } else if !self.random.rarely(12) {
                body.push(join);
            }
        }
        body
    }

    fn join(&mut self, thread: usize) -> Stmt {
        let is_taken = !self.random.rarely(8);
        self.at(Action::Join(thread, is_taken))
    }
}

/// The cost of a recursive function, and how deep its calls nest at most.
const RECURSIVE: usize = 3;
