//! Expressions at random.
//!
//! No two unsequenced parts of an expression get in each other's way: next to an operand with effects
//! the other one is *pure*, made of constants and local variables, which expressions do not change.

use super::super::ast::{
    Binary, Callee, Expr, Function, Gives, Order, POINTERS, Place, Pointer, Takes, UNSET,
};
use super::{Maker, RECURSIVE};

impl Maker {
    pub(super) fn order(&mut self) -> Order {
        self.random
            .of(&[Order::Relaxed, Order::Half, Order::SeqCst])
    }

    fn hot(&mut self) -> usize {
        let hot = self.hot;
        self.random.of(&hot)
    }

    fn pick(&mut self, theme: usize) -> bool {
        let themed = self.themes.contains(&theme);
        self.random.rarely(if themed { 2 } else { 7 })
    }

    /// An expression of constants and locals.
    pub(super) fn pure(&mut self, depth: usize) -> Expr {
        if depth > 0 && self.random.rarely(3) {
            let (a, b) = (self.pure(depth - 1), self.pure(depth - 1));
            let op = self.random.of(&[
                Binary::Add,
                Binary::Sub,
                Binary::Eq,
                Binary::Lt,
                Binary::Xor,
            ]);
            return Expr::Binary(op, Box::new(a), Box::new(b));
        }
        if self.scope.has_unset && self.random.rarely(4) {
            return Expr::Int(UNSET);
        }
        if self.random.rarely(2) {
            Expr::Const(self.random.below(3) as i32)
        } else {
            Expr::Int(self.random.below(3))
        }
    }

    /// A local pointer that is not null, in most programs.
    pub(super) fn local_pointer(&mut self) -> usize {
        POINTERS + usize::from(self.careless && self.random.rarely(4))
    }

    /// A pointer whose value is not computed by an access.
    fn quiet_pointer(&mut self) -> Pointer {
        match self.random.below(4) {
            0 => Pointer::Node(self.random.below(2)),
            1 => Pointer::OfMain,
            _ => Pointer::Local(self.local_pointer()),
        }
    }

    pub(super) fn pointer(&mut self) -> Pointer {
        let makers: Vec<usize> = (0..self.functions.len())
            .filter(|&id| self.functions[id].gives == Gives::Node)
            .collect();
        if let Some(&id) = makers.first()
            && self.random.rarely(4)
            && self.afford(self.functions[id].cost)
        {
            let e = self.pure(0);
            return Pointer::Call(id, Box::new(e));
        }
        if self.careless && self.random.rarely(4) && self.afford(1) {
            return if self.random.rarely(2) {
                Pointer::Head
            } else {
                Pointer::Next(self.local_pointer())
            };
        }
        self.quiet_pointer()
    }

    /// Whether so many accesses are left; they are then used.
    pub(super) fn afford(&mut self, cost: usize) -> bool {
        let cost = cost * self.scope.times;
        if self.scope.left < cost {
            return false;
        }
        self.scope.left -= cost;
        self.scope.cost += cost;
        true
    }

    pub(super) fn atomic_place(&mut self) -> Place {
        match self.random.below(16) {
            0 => Place::Element(Box::new(self.index())),
            1 => Place::Key(self.quiet_pointer()),
            2 => Place::Named(4),
            3 if self.scope.gives != Some(Gives::Main) => Place::Calls,
            _ => Place::Named(self.hot()),
        }
    }

    fn plain_place(&mut self) -> Place {
        match self.random.below(9) {
            0 => Place::Value(self.quiet_pointer()),
            1 => Place::Own,
            2 => Place::Named(7 + self.random.below(4)),
            3 => Place::Named(14 + self.random.below(2)),
            _ => Place::Named(2 + self.random.below(2)),
        }
    }

    fn index(&mut self) -> Expr {
        if self.careless && self.random.rarely(3) {
            return Expr::Int(self.random.below(3));
        }
        if self.random.rarely(2) {
            return Expr::Const(self.random.below(2) as i32);
        }
        let local = Expr::Int(self.random.below(3));
        Expr::Binary(Binary::And, Box::new(local), Box::new(Expr::Const(1)))
    }

    pub(super) fn place(&mut self) -> Place {
        if self.random.rarely(3) {
            self.plain_place()
        } else {
            self.atomic_place()
        }
    }

    pub(super) fn load(&mut self) -> Expr {
        let place = self.place();
        if place.shape().is_atomic() && !self.random.rarely(3) {
            let order = self.order();
            Expr::LoadAs(place, order)
        } else {
            Expr::Load(place)
        }
    }

    /// Any expression; the pure ones where nothing is left.
    pub(super) fn expr(&mut self, depth: usize) -> Expr {
        let deep = depth.saturating_sub(1);
        match self.random.below(if depth == 0 { 6 } else { 13 }) {
            0 | 1 if self.afford(1) => self.load(),
            2 | 3 if self.afford(1) => self.effect_for(1),
            4 if self.afford(1) => {
                let (a, b) = (self.pure(0), self.effect_for(1));
                Expr::Comma(Box::new(b), Box::new(a))
            }
            6 | 7 => {
                let op = self.operator();
                let (a, b) = (self.expr(deep), self.pure(0));
                if self.careless && self.random.rarely(4) {
                    let divisor = Expr::Int(self.random.below(3));
                    return Expr::Binary(Binary::Div, Box::new(a), Box::new(divisor));
                }
                if self.random.rarely(2) {
                    Expr::Binary(op, Box::new(a), Box::new(b))
                } else {
                    Expr::Binary(op, Box::new(b), Box::new(a))
                }
            }
            8 if self.afford(2) => {
                // Two loads: from left to right.
                let (a, b) = (self.load(), self.load());
                Expr::Binary(self.operator(), Box::new(a), Box::new(b))
            }
            9 => {
                let (a, b) = (self.expr(deep), self.expr(deep));
                Expr::Both(Box::new(a), Box::new(b))
            }
            10 => {
                let (a, b) = (self.expr(deep), self.expr(deep));
                Expr::Either(Box::new(a), Box::new(b))
            }
            11 => {
                let (c, a, b) = (self.expr(deep), self.expr(deep), self.expr(deep));
                Expr::Choose(Box::new(c), Box::new(a), Box::new(b))
            }
            12 => Expr::Not(Box::new(self.expr(deep))),
            _ => self.pure(1),
        }
    }

    fn operator(&mut self) -> Binary {
        self.random.of(&[
            Binary::Add,
            Binary::Sub,
            Binary::Eq,
            Binary::Ne,
            Binary::Lt,
            Binary::And,
        ])
    }

    /// An expression with an effect, if it can be afforded.
    pub(super) fn effect(&mut self) -> Expr {
        if self.afford(1) {
            self.effect_for(1)
        } else {
            // What is not used may have no value.
            Expr::Int(self.random.below(3))
        }
    }

    /// An expression with an effect that is already paid for, up to this cost.
    fn effect_for(&mut self, paid: usize) -> Expr {
        if self.pick(0) {
            self.scope.left += paid * self.scope.times;
            self.scope.cost -= paid * self.scope.times;
            if let Some(call) = self.call() {
                return call;
            }
            self.afford(paid);
        }
        let e = Box::new(self.pure(1));
        if self.random.rarely(3) {
            let place = self.plain_place();
            return match self.random.below(3) {
                0 => Expr::Set(place, e),
                1 => Expr::Update(Binary::Add, place, e),
                _ => Expr::Step(place, self.random.rarely(2), self.random.rarely(2)),
            };
        }
        let place = self.atomic_place();
        match self.random.below(9) {
            0 => Expr::Set(place, e),
            1 => {
                let op = self.random.of(&[Binary::Add, Binary::Sub, Binary::Xor]);
                Expr::Update(op, place, e)
            }
            2 => Expr::Step(place, self.random.rarely(2), self.random.rarely(2)),
            3 => {
                let some = Expr::Const(1 + self.random.below(2) as i32);
                let op = self.random.of(&[Binary::Add, Binary::Sub]);
                let order = self.order();
                Expr::Fetch(op, place, Box::new(some), order)
            }
            4 => Expr::Exchange(place, e),
            5 => self.attempt(),
            _ => {
                let order = self.order();
                // A store has no value: it is a statement, or the left side of a comma.
                let store = Expr::StoreAs(place, e, order);
                Expr::Comma(Box::new(store), Box::new(Expr::Const(1)))
            }
        }
    }

    fn attempt(&mut self) -> Expr {
        if self.random.rarely(2) {
            Expr::TryWait
        } else {
            let place = Place::Named(self.hot());
            Expr::Exchange(place, Box::new(Expr::Const(1)))
        }
    }

    /// A call of some function with a number, if it can be afforded.
    fn call(&mut self) -> Option<Expr> {
        let all: Vec<usize> = (0..self.functions.len())
            .filter(|&id| self.functions[id].gives == Gives::Int)
            .collect();
        if all.is_empty() {
            return None;
        }
        let id = self.random.of(&all);
        let function = &self.functions[id];
        let (takes, cost) = (function.takes, function.cost);
        let (is_recursive, lacks_value) = (function.is_recursive, function.lacks_value);
        let most = self.functions.iter().map(|f| f.cost).max().unwrap_or(1);
        if takes == Takes::Node {
            if !self.afford(cost) {
                return None;
            }
            let to = self.quiet_pointer();
            return Some(Expr::CallNode(id, to));
        }
        if is_recursive {
            if !self.afford(RECURSIVE) {
                return None;
            }
            let times = Expr::Const(self.random.below(RECURSIVE) as i32);
            return Some(Expr::Call(Callee::Direct(id), Box::new(times)));
        }
        let plain: Vec<usize> = (0..2)
            .filter(|&id| {
                let fits = |f: &Function| {
                    f.takes == Takes::Int
                        && f.gives == Gives::Int
                        && !f.is_recursive
                        && !f.lacks_value
                };
                self.functions.get(id).is_some_and(fits)
            })
            .collect();
        let e = Box::new(self.pure(0));
        if lacks_value || plain.len() < 2 || self.random.rarely(3) {
            if !self.afford(cost) {
                return None;
            }
            let callee = if !lacks_value && self.random.rarely(4) {
                Callee::Applied(id)
            } else {
                Callee::Direct(id)
            };
            return Some(Expr::Call(callee, e));
        }
        if !self.afford(most.min(2)) {
            return None;
        }
        let callee = match self.random.below(3) {
            0 => Callee::Member,
            1 => Callee::Table(Box::new(if self.random.rarely(2) {
                Expr::Const(self.random.below(2) as i32)
            } else {
                let local = Expr::Int(self.random.below(3));
                Expr::Binary(Binary::And, Box::new(local), Box::new(Expr::Const(1)))
            })),
            _ => Callee::Chosen(Box::new(self.expr(0)), plain[0], plain[1]),
        };
        Some(Expr::Call(callee, e))
    }
}
