//! A process under limits of processor time and memory, which are measured while it runs.
//!
//! The process is polled: a limit may be exceeded by what the process does in one interval. Setting
//! limits of the system would need unsafe code.

use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use sysinfo::{Pid, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

/// The interval between two measurements.
const TICK: Duration = Duration::from_millis(5);

/// How many times longer than its processor time a process may take. It is stopped then: on a busy
/// machine it may wait for a processor, but not this long.
const PATIENCE: u32 = 20;

/// What a process may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    /// Processor time of all its threads.
    pub(crate) time: Duration,
    /// Resident memory, in bytes.
    pub(crate) memory: u64,
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// By itself, with this exit code; `None` after a signal.
    Exited(Option<i32>),
    /// It was stopped, since it used too much time.
    Time,
    /// It was stopped, since it used too much memory.
    Memory,
}

/// What a process printed and used.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) end: End,
    /// Processor time of all its threads.
    pub(crate) time: Duration,
    /// The largest resident memory that was measured, in bytes.
    pub(crate) peak: u64,
    pub(crate) output: String,
}

/// Runs a process until it ends or exceeds a limit.
///
/// # Errors
///
/// If the process cannot be started, or its output is not text.
pub(crate) fn run(command: &mut Command, limit: Limit) -> io::Result<Finished> {
    // Not a pipe, which the process would wait for.
    let mut output: File = tempfile::tempfile()?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(Stdio::null())
        .spawn()?;
    let start = Instant::now();
    let mut meter = Meter::new(child.id())?;
    let stopped = loop {
        meter.read();
        // The figures of a process that has ended can be read until it is waited for.
        if meter.is_over {
            break None;
        }
        let is_late = meter.time > limit.time || start.elapsed() > PATIENCE * limit.time;
        if is_late || meter.peak > limit.memory {
            child.kill()?;
            break Some(if is_late { End::Time } else { End::Memory });
        }
        thread::sleep(TICK);
    };
    let code = child.wait()?.code();
    output.rewind()?;
    let mut text = String::new();
    output.read_to_string(&mut text)?;
    Ok(Finished {
        end: stopped.unwrap_or(End::Exited(code)),
        time: meter.time,
        peak: meter.peak,
        output: text,
    })
}

/// Measures one process.
struct Meter {
    system: System,
    pid: Pid,
    time: Duration,
    peak: u64,
    is_over: bool,
}

impl Meter {
    fn new(pid: u32) -> io::Result<Self> {
        Ok(Self {
            system: System::new().map_err(io::Error::other)?,
            pid: Pid::from_u32(pid),
            time: Duration::ZERO,
            peak: 0,
            is_over: false,
        })
    }

    fn read(&mut self) {
        let kind = ProcessRefreshKind::nothing().with_cpu().with_memory();
        let this = ProcessesToUpdate::Some(&[self.pid]);
        self.system
            .refresh_processes_specifics(this, false, kind.without_tasks());
        match self.system.process(self.pid) {
            Some(process) => {
                self.time = Duration::from_millis(process.accumulated_cpu_time());
                self.peak = self.peak.max(process.memory());
                self.is_over = process.status() == ProcessStatus::Zombie;
            }
            None => self.is_over = true,
        }
    }
}
