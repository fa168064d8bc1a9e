//! Where a program stops but its source does not.

use super::{LocId, Program, Site, ThreadId};
use std::collections::BTreeSet;

impl Program {
    /// Where this program stops but its source does not: assertions that fail where a value leaves
    /// 32 bits, for source formats with integers of any size. An assumption of the same condition
    /// follows each of them. What holds for all executions of this program holds for the source
    /// only if none of these assertions can fail. Every execution of this program is an execution
    /// of the source in any case.
    #[doc(hidden)]
    pub fn limits(&self) -> &[Site] {
        &self.limits
    }

    /// Whether what follows a [limit](Program::limits) is what the source does there also where the
    /// limit fails, only with values of another size. It is not so where the program was made with
    /// the limits in mind: a comparison that only a value beyond 32 bits satisfies is not in it.
    #[doc(hidden)]
    pub fn continues_past_limits(&self) -> bool {
        self.continues_past_limits
    }

    /// The locations after limits, where threads stay if the limits fail.
    #[doc(hidden)]
    pub fn after_limits(&self) -> BTreeSet<(ThreadId, LocId)> {
        let limits = self.limits.iter();
        let after = limits.map(|&limit| (limit.thread, self.instruction(limit).to));
        after.collect()
    }

    /// The same program without [limits](Program::limits).
    #[must_use]
    pub fn without_limits(&self) -> Program {
        let mut program = self.clone();
        program.limits.clear();
        program.continues_past_limits = false;
        program
    }
}
