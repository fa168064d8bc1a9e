//! What the functions of libraries do, as instructions.
//!
//! The meanings are those of the machine code on x86 and of stores in order of a PSO machine; what
//! compilers make of a read-modify-write that changes nothing, or whose result is not used, depends on
//! the compiler, so the weakest of them counts.

use super::Lowering;
use super::arguments::{Evaluated, value_of};
use super::code::Holds;
use super::objects::of_library;
use super::order::is_full_barrier;
use super::value::{Value, c, condition, int, not, void};
use crate::lower::operation::{Idle, Lock, Meaning, Operation, Order};
use crate::lower::typed::{self, Expr, ExprKind, LibraryType, Type, TypeKind};
use crate::program::{self, Fence, FetchOp, Op, Ordering, Update};
use crate::text::{Diagnostic, Place};

impl Lowering<'_> {
    /// Calls a function of a library; its value.
    pub(super) fn call_library(
        &mut self,
        entry: &'static Operation,
        arguments: &[Expr],
        returns: &Type,
        used: bool,
        place: Place,
    ) -> Value {
        // Those that evaluate their arguments themselves.
        match (entry.meaning, arguments) {
            (Meaning::PthreadCreate, _) => return self.create(arguments, [0, 2, 3], place),
            (Meaning::ThrdCreate, _) => return self.create(arguments, [0, 1, 2], place),
            (Meaning::Spawn | Meaning::Start | Meaning::Later, _) => {
                return self.spawn(arguments, entry.meaning, place);
            }
            (Meaning::Assert, [condition, ..]) => self.assert(condition, true, place),
            (Meaning::Assume, [condition, ..]) => self.state = self.branch(condition).0,
            (Meaning::Limit, [fits, room]) => self.within_capacity(fits, room, place),
            (
                Meaning::Malloc
                | Meaning::Calloc
                | Meaning::Alloca
                | Meaning::AlignedAlloc
                | Meaning::Realloc,
                arguments,
            ) => {
                let block = self.allocated(entry.meaning, arguments, &void(), place);
                return block.unwrap_or(Value::ZERO);
            }
            (Meaning::Free, [pointer, ..]) => self.free(pointer, place),
            (Meaning::Unmap, [pointer, size]) => self.unmap(pointer, size, place),
            (Meaning::AllocateAt, [to, _, size]) => self.allocate_at(to, size, place),
            _ => {}
        }
        let texts = arguments;
        let before = match (entry.meaning, arguments) {
            (Meaning::Container, [_, member]) => self.cells_before(member),
            _ => 0,
        };
        let arguments = &*self.arguments(entry.meaning, arguments, place);
        let is_full = is_full_barrier(entry, texts);
        if is_full {
            self.mark_order(Order::AcqRel, place);
        }
        let value = self.performed(entry, (texts, arguments, before), returns, used, place);
        if is_full {
            self.mark_order(Order::AcqRel, place);
        }
        value
    }

    /// What an operation does and yields, once its arguments are evaluated; `before`: of a container, the cells before
    /// the member.
    fn performed(
        &mut self,
        entry: &'static Operation,
        (texts, arguments, before): (&[Expr], &[Evaluated], i64),
        returns: &Type,
        used: bool,
        place: Place,
    ) -> Value {
        match entry.meaning {
            Meaning::CopyBytes | Meaning::FillBytes | Meaning::AnyBytes | Meaning::CompareBytes => {
                self.access_bytes(entry.meaning, arguments, texts, place)
            }
            Meaning::ArgumentList => self.argument_list(),
            Meaning::NextArgument => self.next_argument(value_of(arguments, 0), returns, place),
            Meaning::CallNumber => {
                self.numbered_calls += 1;
                Value::Known((self.numbered_calls - 1).min(15))
            }
            Meaning::ErrorNumber => self.error_number(),
            Meaning::SetsError => self.fails(place),
            Meaning::HandOut => self.hand_out(arguments, texts, place),
            Meaning::Print => self.print(arguments, texts, used, place),
            Meaning::Load(order) => {
                let order = self.order_of("a load", order, arguments, &[3, 4]);
                let (address, ty) = self.object(arguments);
                self.with_order(order, |this| this.read(&address, &ty, place))
            }
            Meaning::Store(order) => {
                let order = self.order_of("a store", order, arguments, &[1, 2, 4]);
                let (address, ty, value) = self.object_and_value(arguments);
                self.with_order(order, |this| {
                    this.atomic_store(&address, &ty, value, order, place);
                });
                Value::ZERO
            }
            Meaning::Clear(order) => {
                let order = self.order_of("a store", order, arguments, &[1, 2, 4]);
                let (address, ty) = self.object(arguments);
                self.with_order(order, |this| {
                    this.atomic_store(&address, &ty, Value::ZERO, order, place);
                });
                Value::ZERO
            }
            Meaning::Exchange(order) => {
                let order = self.order(order, arguments, 0);
                let (address, ty, value) = self.object_and_value(arguments);
                self.with_order(order, |this| {
                    this.exchange(&address, &ty, value, order, place)
                })
            }
            Meaning::TestAndSet(order) => {
                let order = self.order(order, arguments, 0);
                let (address, ty) = self.object(arguments);
                self.with_order(order, |this| {
                    this.exchange(&address, &ty, Value::Known(1), order, place)
                })
            }
            Meaning::Fetch { op, yields, order } => {
                if let Some(TypeKind::Pointer(to)) = arguments.first().map(|given| &given.ty.kind)
                    && matches!(to.kind, TypeKind::Pointer(_))
                {
                    self.report(
                        Diagnostic::error(
                            format!("`{}` of a pointer is not supported", entry.name),
                            self.positions.span(place),
                        )
                        .note(
                            "compilers disagree whether it counts bytes or elements; `p += n` counts \
                             elements",
                        ),
                    );
                    return Value::ZERO;
                }
                let order = self.order(order, arguments, 0);
                let (address, ty, value) = self.object_and_value(arguments);
                self.with_order(order, |this| {
                    this.fetch_by_compiler(&address, &ty, (op, value), yields, order, place)
                })
            }
            Meaning::CompareExchange {
                expected,
                yields,
                order,
            } => {
                // The order of a failure comes last.
                let failure = self.failure_order(expected, order, arguments);
                let success = self.order(order, arguments, 1);
                let orders = [success, failure];
                self.compare_exchange(arguments, expected, yields, orders, place)
            }
            Meaning::ThreadFence(order) => {
                let order = self.order(order, arguments, 0);
                self.with_order(order, |this| match order {
                    Order::SeqCst => this.emit(Op::Fence(Fence::Full), place),
                    Order::Release | Order::AcqRel => this.emit(Op::Fence(Fence::Store), place),
                    Order::Acquire => this.mark_order(order, place),
                    Order::Relaxed | Order::Once | Order::Argument => {}
                });
                Value::ZERO
            }
            Meaning::FullFence => {
                self.emit(Op::Fence(Fence::Full), place);
                Value::ZERO
            }
            Meaning::StoreFence => {
                self.emit(Op::Fence(Fence::Store), place);
                Value::ZERO
            }
            Meaning::ScopeBegin => {
                self.scopes.push(self.threads.len());
                Value::ZERO
            }
            Meaning::ScopeEnd => {
                self.end_scope(place);
                Value::ZERO
            }
            Meaning::Join => self.join_thread(arguments, place),
            Meaning::ThreadExit => {
                self.refuse_last_end(place);
                self.clean_up(place);
                self.end_values(place);
                let routine = self.threads[self.current].routine();
                let returns = &self.unit.functions[routine.0].returns;
                let result = arguments.iter().take(1).map(|given| {
                    let value = given.value.clone();
                    let value = self.convert(value, given.ty, returns, given.place);
                    self.dynamic_of(&value, Some(returns), given.place)
                });
                let result = result.collect();
                self.end_thread(result, place);
                Value::ZERO
            }
            Meaning::ThreadSelf => {
                self.refuse_in_copies("a handle", place);
                self.own_handle()
            }
            Meaning::OwnNumber(of) => self.own_number(of, arguments, place),
            Meaning::NextNumber => self.next_number(arguments, place),
            Meaning::Round(asked) => self.round(asked, arguments, place),
            Meaning::Park => {
                self.park(arguments.is_empty(), place);
                Value::ZERO
            }
            Meaning::Unpark => {
                self.unpark(arguments, place);
                Value::ZERO
            }
            Meaning::MutexType => {
                self.plain_mutex(arguments.get(1), |kind| kind == 0);
                Value::ZERO
            }
            Meaning::FillText => {
                if let Some(pointer) = arguments.first() {
                    self.fill_text(pointer, place);
                }
                Value::ZERO
            }
            Meaning::Text(fact) => self.text_fact(fact, arguments, place),
            Meaning::LeavesOut(omission) => self.leave_out(omission, place),
            Meaning::TakesSignals => self.takes_signals(),
            Meaning::NewKey => self.new_key(arguments, place),
            Meaning::AtExit => self.new_exit(arguments, place),
            Meaning::SetsValue => {
                self.sets_value();
                Value::ZERO
            }
            Meaning::NoConstructor => {
                self.no_constructor(arguments.first());
                Value::ZERO
            }
            Meaning::MutexInit => {
                let kind = arguments.get(1);
                let kind = kind.filter(|kind| matches!(kind.ty.kind, TypeKind::Int { .. }));
                // Of C11: 2 may be locked for a time, 1 is recursive.
                self.plain_mutex(kind, |kind| kind & 1 == 0);
                let (address, _) = self.object(arguments);
                let ty = of_library(LibraryType::Mutex);
                self.write(&address, &ty, Value::ZERO, place);
                if self.is_dynamic(&address)
                    && let Some(last) = self.code.last()
                {
                    last.holds = Some(Holds::Releases(address.known()));
                }
                Value::ZERO
            }
            Meaning::Lock(lock) | Meaning::FairLock(lock) => {
                let (address, _) = self.object(arguments);
                let is_fair = matches!(entry.meaning, Meaning::FairLock(_));
                self.lock_fairly(is_fair, lock, &address, place)
            }
            Meaning::TryLock(lock, idle) => {
                let (address, _) = self.object(arguments);
                let is_of_kernel = returns.kind == TypeKind::Bool;
                let free = self.try_lock(lock, idle, &address, place);
                // Kernels yield 1 on success, the others 0, and on failure `thrd_busy` or `EBUSY`.
                Value::Unknown(if is_of_kernel {
                    free
                } else {
                    let busy = if lock == Lock::C11 { 1 } else { 16 };
                    program::Expr::conditional(free, c(0), c(busy))
                })
            }
            Meaning::Unlock(lock) => {
                let (address, _) = self.object(arguments);
                self.unlock(lock, &address, place);
                Value::ZERO
            }
            Meaning::ConditionInit => {
                self.init_condition(arguments, place);
                Value::ZERO
            }
            Meaning::ConditionWait(lock) => {
                self.use_condition(arguments, place);
                let is_timed = arguments.len() > 2;
                match (self.options.forbid_stuck, is_timed) {
                    (true, true) => self.wait_at_condition_for_a_time(lock, arguments, place),
                    (true, false) => self.wait_at_condition(lock, arguments, place),
                    (false, _) => {
                        // Released, woken (perhaps for no reason), taken again.
                        let mutex = value_of(arguments, 1);
                        self.unlock(lock, &mutex, place);
                        self.lock(lock, &mutex, place);
                    }
                }
                if !is_timed {
                    return Value::ZERO;
                }
                // With a time, it may also be over: `ETIMEDOUT`, `thrd_timedout`.
                let into = self.temporary();
                let (low, high) = (0, 1);
                self.emit(Op::Havoc { into, low, high }, place);
                let over = if lock == Lock::C11 { 4 } else { 110 };
                let is_over = program::Expr::Var(into);
                Value::Unknown(program::Expr::conditional(is_over, c(over), c(0)))
            }
            Meaning::ConditionSignal { all, idle } => {
                self.use_condition(arguments, place);
                if self.options.forbid_stuck {
                    self.wake(all, idle, arguments, place);
                } else if idle == Idle::Locked {
                    self.emit_as(Op::Fence(Fence::Full), Ordering::Relaxed, place);
                }
                // Otherwise nothing: each thread that waits may have stopped just before, for no reason.
                Value::ZERO
            }
            Meaning::SemaphoreInit => {
                let (address, _) = self.object(arguments);
                let value = value_of(arguments, 2);
                let ty = of_library(LibraryType::Semaphore);
                self.write(&address, &ty, value, place);
                Value::ZERO
            }
            Meaning::SemaphoreWait => {
                let (address, _) = self.object(arguments);
                self.take_semaphore(&address, place);
                Value::ZERO
            }
            Meaning::SemaphorePost => {
                let (address, _) = self.object(arguments);
                let post = Update::Fetch(FetchOp::Add, c(1));
                self.with_order(Order::Release, |this| this.locked(&address, post, place));
                Value::ZERO
            }
            Meaning::Fail => {
                self.emit(Op::Assert(c(0)), place);
                self.state = None;
                Value::ZERO
            }
            Meaning::OrderlyExit => {
                self.call_exits(place);
                self.end_process();
                Value::ZERO
            }
            Meaning::Exit => {
                self.end_process();
                Value::ZERO
            }
            Meaning::Refuse(why, way) => {
                self.refuse(why, way, place);
                Value::ZERO
            }
            // A value that is not used has no instruction.
            Meaning::Nondet { .. } if !used => Value::ZERO,
            Meaning::Nondet { low, high } if low == high => Value::Known(i64::from(low)),
            Meaning::Nondet { low, high } => self.any_value(low, high, place),
            Meaning::Container => self.around(&value_of(arguments, 0), before),
            Meaning::Fill { from, low, high } => {
                self.fill_any(
                    entry,
                    arguments.get(usize::from(from)..).unwrap_or_default(),
                );
                if used {
                    self.any_value(low, high, place)
                } else {
                    Value::ZERO
                }
            }
            Meaning::Bits { what, width } => {
                if let Some(argument) = arguments.first() {
                    self.no_number(&argument.value, argument.ty, place);
                }
                self.function_of_bits(what, width, value_of(arguments, 0), place)
            }
            Meaning::Narrowed => self.narrowed(arguments, place),
            Meaning::Upper => self.upper_half(arguments, place),
            Meaning::Overflow(op, _) => self.overflow(op, arguments, place),
            Meaning::CleanupBegin => {
                let [routine, argument] = [0, 1].map(|number| value_of(arguments, number));
                self.cleanups.push([routine, argument]);
                Value::ZERO
            }
            Meaning::CleanupEnd => {
                self.cleanups.pop();
                Value::ZERO
            }
            Meaning::Handler => {
                self.register_handler(entry, arguments, place);
                Value::ZERO
            }
            Meaning::AtomicBegin => {
                self.emit(Op::AtomicBegin, place);
                Value::ZERO
            }
            Meaning::AtomicEnd => {
                self.emit(Op::AtomicEnd, place);
                Value::ZERO
            }
            Meaning::ReadSection(section) => {
                self.mark_section(section, place);
                Value::ZERO
            }
            Meaning::CompilerBarrier => {
                self.mark_order(Order::AcqRel, place);
                Value::ZERO
            }
            Meaning::SemaphoreTryWait => {
                let (address, _) = self.object(arguments);
                self.try_semaphore(&address, place)
            }
            Meaning::Held => {
                let (address, _) = self.object(arguments);
                self.held(&address, place)
            }
            Meaning::BarrierInit => {
                let (address, _) = self.object(arguments);
                let count = value_of(arguments, 2);
                self.barrier_init(&address, count, place);
                Value::ZERO
            }
            Meaning::BarrierWait => {
                let (address, _) = self.object(arguments);
                self.barrier_wait(&address, place)
            }
            Meaning::SystemCall => self.system_call(arguments, used, place),
            Meaning::Once => {
                let (address, _) = self.object(arguments);
                if let Some(routine) = arguments.get(1) {
                    self.once(&address, routine, place);
                }
                Value::ZERO
            }
            Meaning::Ignore
            | Meaning::PthreadCreate
            | Meaning::ThrdCreate
            | Meaning::Spawn
            | Meaning::Start
            | Meaning::Later
            | Meaning::Assert
            | Meaning::Assume
            | Meaning::Limit
            | Meaning::AllocateAt
            | Meaning::Malloc
            | Meaning::Calloc
            | Meaning::Alloca
            | Meaning::Unmap
            | Meaning::AlignedAlloc
            | Meaning::Realloc
            | Meaning::Free => Value::ZERO,
        }
    }

    /// A violation unless a condition is this; the parts of `&&` and `||` are conditions of their own.
    fn assert(&mut self, e: &Expr, wanted: bool, place: Place) {
        match &e.kind {
            ExprKind::Unary(typed::UnaryOp::Not, a) => self.assert(a, !wanted, place),
            ExprKind::And(a, b) | ExprKind::Or(a, b)
                if matches!(e.kind, ExprKind::And(..)) == wanted =>
            {
                self.assert(a, wanted, place);
                self.assert(b, wanted, place);
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let (yes, no) = self.branch(a);
                let (fine, open) = if wanted { (yes, no) } else { (no, yes) };
                self.state = open;
                self.assert(b, wanted, place);
                let both = self.state.take().into_iter().chain(fine).collect();
                self.state = self.join(both, place);
            }
            _ => {
                let value = self.eval(e);
                let holds = condition(value);
                let holds = if wanted { holds } else { not(holds) };
                self.emit(Op::Assert(holds.clone()), place);
                self.emit(Op::Assume(holds), place);
            }
        }
    }
}

/// The type in which values of a type are computed.
pub(super) fn promoted(ty: &Type) -> Type {
    match ty.kind {
        TypeKind::Bool => int(),
        TypeKind::Int { bits, .. } if bits < 32 => int(),
        TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Void
        | TypeKind::Pointer(_)
        | TypeKind::Array(..)
        | TypeKind::Struct(_)
        | TypeKind::Function(..)
        | TypeKind::Library(_) => ty.clone(),
    }
}
