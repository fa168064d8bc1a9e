//! What libraries are not given here: more threads than have numbers, where programs compute with them, as CPUs of the
//! kernel and in sets of threads.

use crate::lower::Lowering;
use crate::lower::arguments::{Evaluated, value_of};
use crate::lower::operation::Numbered;
use crate::lower::value::Value;
use crate::text::{Diagnostic, Place};

impl Lowering<'_> {
    /// The number of the thread at hand, which must be less than argument 0.
    pub(in crate::lower) fn own_number(
        &mut self,
        of: Numbered,
        arguments: &[Evaluated],
        place: Place,
    ) -> Value {
        self.refuse_in_copies("a number", place);
        if of == Numbered::Cpus {
            self.warn_of_cpu(place);
        }
        self.check_number(of, self.current, arguments, place)
    }

    /// The number of the next thread, which must be less than argument 0.
    pub(in crate::lower) fn next_number(&mut self, arguments: &[Evaluated], place: Place) -> Value {
        self.check_number(Numbered::Bits, self.threads.len(), arguments, place)
    }

    /// Timers, tasklets, work and callbacks are executed by threads of their own, so on CPUs of their own.
    fn warn_of_cpu(&mut self, place: Place) {
        let routine = self.threads[self.current].routine();
        let is_later = self.unit.functions[routine.0]
            .name
            .starts_with("__fencepost_");
        if !is_later || self.state.is_none() {
            return;
        }
        let place = self.in_the_text(place);
        let message = "what the kernel calls later is on a CPU of its own here";
        let warning = Diagnostic::warning(message, self.positions.span(place));
        self.warn(warning.leaving_out("this is executed on the CPU of another thread"));
    }

    /// Whether signals reach the thread at hand.
    pub(in crate::lower) fn takes_signals(&self) -> Value {
        Value::Known(i64::from(self.threads[self.current].takes_signals()))
    }

    /// The number of a thread, which must be less than argument 0.
    pub(in crate::lower) fn check_number(
        &mut self,
        of: Numbered,
        number: usize,
        arguments: &[Evaluated],
        place: Place,
    ) -> Value {
        let most = value_of(arguments, 0).known();
        if let Some(most) = most.filter(|most| number as i64 >= *most)
            && self.state.is_some()
        {
            let place = self.in_the_text(place);
            let (message, note) = match of {
                Numbered::Cpus => (
                    format!("more threads than the {most} CPUs of NR_CPUS: this one is thread {number}, and `main` is thread 0"),
                    format!("each thread is on a CPU of its own: `-DNR_CPUS={}` gives this one a CPU", number + 1),
                ),
                Numbered::Bits => (
                    format!("more than {most} threads, where some are created by queues of the kernel"),
                    "there is one for each call that queues work, arms a timer or has something called after readers: what queues \
                     itself again has only one if its address and its function are known here".to_owned(),
                ),
            };
            self.report(Diagnostic::error(message, self.positions.span(place)).note(note));
        }
        Value::Known(number as i64)
    }
}
