//! Barriers where threads meet (`pthread_barrier_t`), as instructions on hidden cells.

use super::Lowering;
use super::locks::cell;
use super::value::{Value, binary, c, int, not};
use crate::program::{BinaryOp, Expr, Op, Ordering, Written};
use crate::text::Place;

impl Lowering<'_> {
    /// The cells of a barrier: how many threads it waits for, how many have come, and a bit that
    /// changes when the last one comes. Where waiting forever is a property, there is a bit for each
    /// thread that waits instead, which the last one clears.
    pub(super) fn barrier_init(&mut self, address: &Value, count: Value, place: Place) {
        for (at, value) in [count, Value::ZERO, Value::ZERO].into_iter().enumerate() {
            let address = self.offset(address, at as i64);
            self.write(&address, &cell(), value, place);
        }
    }

    /// `pthread_barrier_wait`: yields -1 to the last thread, and 0 to the others. Where one thread is
    /// enough, it is the last one, and nothing but a load is executed.
    pub(super) fn barrier_wait(&mut self, address: &Value, place: Place) -> Value {
        if self.state.is_none() {
            return Value::ZERO;
        }
        let is_one = match self.read_prepared(address, &cell(), place) {
            Value::Known(count) => Value::Known(i64::from(count == 1)),
            Value::Unknown(count) => Value::Unknown(binary(BinaryOp::Eq, count, c(1))),
        };
        let (alone, others) = self.split(is_one, place);
        self.state = others;
        let last = self.meet_others(address, place);
        let met = self.state.take().map(|state| (state, vec![last]));
        let alone = alone.map(|state| (state, vec![Value::Known(-1)]));
        let ends = alone.into_iter().chain(met).collect();
        let mut values = self.join_values(ends, &[int()], place);
        values.pop().unwrap_or(Value::ZERO)
    }

    /// Waits at a barrier for other threads, by locked instructions.
    fn meet_others(&mut self, address: &Value, place: Place) -> Value {
        if self.state.is_none() {
            return Value::ZERO;
        }
        let own = if self.options.forbid_stuck {
            self.own_bit(place)
        } else {
            None
        };
        let cells: Vec<Value> = (0..3).map(|at| self.offset(address, at)).collect();
        // Only threads at the same barrier wait for each other.
        self.emit_as(Op::AtomicBegin, Ordering::Relaxed, place);
        let [count, come, bit] = [0, 1, 2].map(|at| {
            let value = self.read_prepared(&cells[at], &cell(), place);
            self.dynamic_of(&value, None, place)
        });
        let come = binary(BinaryOp::Add, come, c(1));
        let last = binary(BinaryOp::Eq, come.clone(), count);
        let left = Expr::conditional(last.clone(), c(0), come);
        self.write(&cells[1], &cell(), Value::Unknown(left), place);
        self.is_written_as(Written::Update);
        let changed = match own {
            Some(own) => {
                let others = binary(BinaryOp::BitOr, bit.clone(), c(own));
                Expr::conditional(last.clone(), c(0), others)
            }
            None => binary(BinaryOp::BitXor, bit.clone(), last.clone()),
        };
        self.write(&cells[2], &cell(), Value::Unknown(changed), place);
        self.is_written_as(Written::Update);
        self.emit_as(Op::AtomicEnd, Ordering::Relaxed, place);
        self.spin(place, |this| {
            let now = this.read_prepared(&cells[2], &cell(), place);
            let now = this.dynamic_of(&now, None, place);
            match own {
                Some(own) => not(binary(BinaryOp::BitAnd, now, c(own))),
                None => binary(BinaryOp::Ne, now, bit),
            }
        });
        Value::Unknown(Expr::conditional(last, c(-1), c(0)))
    }
}
