//! Expressions as C text.

use super::ast::{
    Binary, Callee, Expr, Locks, NAMED, Order, POINTERS, Place, Pointer, RESULTS, Sharing, UNSET,
};

pub fn local(local: usize) -> String {
    if local == UNSET {
        "u".to_owned()
    } else if local >= RESULTS {
        format!("r[{}]", local - RESULTS)
    } else if local >= POINTERS {
        format!("p{}", local - POINTERS)
    } else if local > UNSET {
        format!("c{local}")
    } else {
        format!("i{local}")
    }
}

pub fn lock_of(lock: usize) -> String {
    match lock {
        0 => "&m".to_owned(),
        inside => format!("&guarded[{}].lock", inside - 1),
    }
}

pub fn order_of(order: Order, loads: bool) -> &'static str {
    match (order, loads) {
        (Order::Relaxed, _) => "memory_order_relaxed",
        (Order::Half, true) => "memory_order_acquire",
        (Order::Half, false) => "memory_order_release",
        (Order::SeqCst, _) => "memory_order_seq_cst",
    }
}

/// What an operator looks like, and the end of the name of the function that does it atomically.
fn operator(op: Binary) -> (&'static str, &'static str) {
    match op {
        Binary::Add => ("+", "add"),
        Binary::Sub => ("-", "sub"),
        Binary::Eq => ("==", ""),
        Binary::Ne => ("!=", ""),
        Binary::Lt => ("<", ""),
        Binary::And => ("&", "and"),
        Binary::Xor => ("^", "xor"),
        Binary::Mul => ("*", ""),
        Binary::Div => ("/", ""),
    }
}

/// The text of expressions, which depends on the kind of locks.
#[derive(Clone, Copy)]
pub struct Words(pub Locks);

impl Words {
    pub fn pointer(self, pointer: &Pointer) -> String {
        match pointer {
            Pointer::Local(p) => local(*p),
            Pointer::Head => "head".to_owned(),
            Pointer::Next(p) => format!("{}->next", local(*p)),
            Pointer::Node(at) => format!("&nodes[{at}]"),
            Pointer::OfMain => "stacked".to_owned(),
            Pointer::Null => "NULL".to_owned(),
            Pointer::Call(id, e) => format!("f{id}({})", self.expr(e)),
        }
    }

    pub fn place(self, place: &Place) -> String {
        let member = |pointer: &Pointer, name: &str| match pointer {
            Pointer::Node(at) => format!("nodes[{at}].{name}"),
            Pointer::Local(_)
            | Pointer::Head
            | Pointer::Next(_)
            | Pointer::OfMain
            | Pointer::Null
            | Pointer::Call(..) => format!("{}->{name}", self.pointer(pointer)),
        };
        match place {
            Place::Named(at) => NAMED[*at].1.to_owned(),
            Place::Element(e) => format!("a[{}]", self.expr(e)),
            Place::Key(pointer) => member(pointer, "key"),
            Place::Value(pointer) => member(pointer, "value"),
            Place::Own => "own".to_owned(),
            Place::Calls => "calls".to_owned(),
        }
    }

    pub fn expr(self, e: &Expr) -> String {
        match e {
            Expr::Const(value) => value.to_string(),
            Expr::Int(l) => local(*l),
            Expr::Load(place) => self.place(place),
            Expr::LoadAs(at, Order::SeqCst) => format!("atomic_load(&{})", self.place(at)),
            Expr::LoadAs(at, order) => format!(
                "atomic_load_explicit(&{}, {})",
                self.place(at),
                order_of(*order, true)
            ),
            Expr::Binary(op, a, b) => {
                format!("({} {} {})", self.expr(a), operator(*op).0, self.expr(b))
            }
            Expr::Not(a) => format!("!{}", self.nested(a)),
            Expr::Both(a, b) => format!("({} && {})", self.expr(a), self.expr(b)),
            Expr::Either(a, b) => format!("({} || {})", self.expr(a), self.expr(b)),
            Expr::Choose(c, a, b) => {
                let (c, a, b) = (self.nested(c), self.nested(a), self.nested(b));
                format!("({c} ? {a} : {b})")
            }
            Expr::Comma(a, b) => format!("({}, {})", self.expr(a), self.expr(b)),
            Expr::Set(place, e) => format!("({} = {})", self.place(place), self.expr(e)),
            Expr::StoreAs(place, e, Order::SeqCst) => {
                format!("atomic_store(&{}, {})", self.place(place), self.expr(e))
            }
            Expr::StoreAs(place, e, order) => format!(
                "atomic_store_explicit(&{}, {}, {})",
                self.place(place),
                self.expr(e),
                order_of(*order, false)
            ),
            Expr::Update(op, place, e) => {
                let (place, e) = (self.place(place), self.expr(e));
                format!("({place} {}= {e})", operator(*op).0)
            }
            Expr::Step(place, up, first) => {
                let (place, step) = (self.place(place), if *up { "++" } else { "--" });
                if *first {
                    format!("({step}{place})")
                } else {
                    format!("({place}{step})")
                }
            }
            Expr::Fetch(op, place, e, order) => format!(
                "atomic_fetch_{}_explicit(&{}, {}, {})",
                operator(*op).1,
                self.place(place),
                self.expr(e),
                order_of(*order, false)
            ),
            Expr::Exchange(place, e) => {
                format!("atomic_exchange(&{}, {})", self.place(place), self.expr(e))
            }
            Expr::Compare(place, expected, e) => format!(
                "atomic_compare_exchange_strong(&{}, &{}, {})",
                self.place(place),
                local(*expected),
                self.expr(e)
            ),
            Expr::Call(callee, e) => self.call(callee, e),
            Expr::CallNode(id, to) => format!("f{id}({})", self.pointer(to)),
            Expr::IsSet(to) => format!("({} != NULL)", self.pointer(to)),
            Expr::TryLock(lock, sharing) => self.attempt(*lock, *sharing),
            Expr::TryWait => "(sem_trywait(&semaphore) == 0)".to_owned(),
            Expr::Barrier => {
                "(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)".to_owned()
            }
        }
    }

    /// An expression as an operand.
    fn nested(self, e: &Expr) -> String {
        if matches!(e, Expr::Const(0..) | Expr::Int(_)) {
            self.expr(e)
        } else {
            format!("({})", self.expr(e))
        }
    }

    fn call(self, callee: &Callee, e: &Expr) -> String {
        let e = self.expr(e);
        match callee {
            Callee::Direct(id) => format!("f{id}({e})"),
            Callee::Table(at) => format!("table[{}]({e})", self.expr(at)),
            Callee::Chosen(c, f, g) => format!("({} ? f{f} : f{g})({e})", self.nested(c)),
            Callee::Applied(id) => format!("apply(f{id}, {e})"),
            Callee::Member => format!("ops.run({e})"),
        }
    }

    /// 1 if the lock was taken.
    fn attempt(self, lock: usize, sharing: Sharing) -> String {
        let name = match (self.0, sharing) {
            (Locks::Mutex, _) => "pthread_mutex_trylock",
            (Locks::C11, _) => {
                return format!("(mtx_trylock({}) == thrd_success)", lock_of(lock));
            }
            (Locks::Spin, _) => "pthread_spin_trylock",
            (Locks::ReadWrite, Sharing::Reader) => "pthread_rwlock_tryrdlock",
            (Locks::ReadWrite, Sharing::Writer) => "pthread_rwlock_trywrlock",
        };
        format!("({name}({}) == 0)", lock_of(lock))
    }
}
