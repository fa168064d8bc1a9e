//! The numbers of threads, where programs compute with them: the CPUs of the kernel, and bits of sets of threads.

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
        self.check_number(of, self.current, arguments, place)
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
                    "call fewer functions that queue work, arm timers or wait for readers".to_owned(),
                ),
            };
            self.report(Diagnostic::error(message, self.positions.span(place)).note(note));
        }
        Value::Known(number as i64)
    }
}
