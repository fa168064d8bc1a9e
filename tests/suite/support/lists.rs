//! Programs whose threads each execute a list of instructions once.

use fencepost::program::{Addr, Copies, Fence, Op, Origin, ProgramBuilder};

pub fn cells_fence(cell: i32) -> Op {
    Op::Fence(Fence::Cells(vec![Addr(cell)]))
}

/// Three cells `x`, `y`, `z`; threads with three registers that execute their list once.
pub fn builder(threads: &[Vec<Op>]) -> ProgramBuilder {
    let mut builder = ProgramBuilder::new("litmus");
    for name in ["x", "y", "z"] {
        builder.cell(name, 0);
    }
    for (index, ops) in threads.iter().enumerate() {
        let thread = builder.thread(format!("t{index}"), Copies::One, Origin::default());
        for reg in 0..3 {
            builder.register(thread, format!("r{reg}"), 0);
        }
        let mut at = builder.location(thread, Origin::default());
        builder.entry(thread, at);
        for op in ops {
            let to = builder.location(thread, Origin::default());
            builder.instruction(thread, at, op.clone(), to, Origin::default());
            at = to;
        }
    }
    builder
}
