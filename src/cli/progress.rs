//! The progress of a search: one line on standard error that is rewritten while the user waits, and erased
//! before anything else is printed.
//!
//! **Absent.** Any line where standard error is not a terminal, with `--quiet`, or for `corpus`.

use super::Global;
use crate::verdict::{Phase, Progress, Reached};
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use std::{env, fmt};

/// The time after which the line is shown first: most answers come sooner.
const PATIENCE: Duration = Duration::from_secs(1);

/// The interval between two versions of the line.
const PERIOD: Duration = Duration::from_millis(200);

/// The width if the terminal does not report one.
const WIDTH: usize = 80;

/// The counters of the search that this process runs.
pub(super) fn counters() -> &'static Arc<Progress> {
    static COUNTERS: OnceLock<Arc<Progress>> = OnceLock::new();
    COUNTERS.get_or_init(Arc::default)
}

/// Whether a line may be shown.
pub(super) fn is_wanted(global: &Global) -> bool {
    let dumb = env::var_os("TERM").is_none_or(|term| term == "dumb");
    io::stderr().is_terminal() && !global.quiet && !dumb
}

/// The line. Dropping it erases it.
#[derive(Debug)]
pub(super) struct ProgressLine {
    started: Instant,
    /// When it is written next; `None` if it is not to be shown.
    next: Option<Instant>,
    is_shown: bool,
}

impl ProgressLine {
    /// A line that is not shown yet, or never.
    pub(super) fn new(is_wanted: bool) -> Self {
        let started = Instant::now();
        Self {
            started,
            next: is_wanted.then(|| started + PATIENCE),
            is_shown: false,
        }
    }

    /// Writes the line if it is time to.
    pub(super) fn update(&mut self) {
        let now = Instant::now();
        if self.next.is_none_or(|next| now < next) {
            return;
        }
        self.next = Some(now + PERIOD);
        self.is_shown = true;
        let width = terminal_size::terminal_size().map_or(WIDTH, |(width, _)| width.0.into());
        let seconds = (now - self.started).as_secs();
        let text = Line(counters().reached(), seconds).to_string();
        // A line that is wrapped could not be erased.
        let text: String = text.chars().take(width.saturating_sub(1)).collect();
        let _ = write!(io::stderr(), "\r{text}\x1b[K");
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// What was reached, after so many seconds.
struct Line(Reached, u64);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line(reached, seconds) = self;
        f.write_str(match reached.phase {
            Phase::Preparing => "preparing",
            Phase::Exploring => "exploring states",
            Phase::Solving => "solving formulas",
        })?;
        if reached.sets > 0 {
            write!(f, " · {} sets of fences probed", reached.sets)?;
        } else if reached.attacks > 0 {
            write!(f, " · {} of {} attacks", reached.decided, reached.attacks)?;
        } else if reached.goals > 0 {
            let plural = if reached.goals == 1 { "" } else { "s" };
            write!(f, " · {} goal{plural}", reached.goals)?;
        }
        if reached.states > 0 {
            write!(f, " · {} states", rounded(reached.states))?;
        }
        if reached.unroll > 0 {
            write!(f, " · loops unrolled up to {} times", reached.unroll)?;
        }
        write!(f, " · {seconds} s")
    }
}

/// `950`, `12k`, `3.4M`
fn rounded(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{}k", count / 1000),
        _ => format!("{}.{}M", count / 1_000_000, count / 100_000 % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_what_is_counted() {
        let reached = Reached {
            phase: Phase::Exploring,
            states: 3_450_000,
            unroll: 4,
            goals: 1,
            ..Reached::default()
        };
        let line = Line(reached, 12).to_string();
        assert_eq!(
            line,
            "exploring states · 1 goal · 3.4M states · loops unrolled up to 4 times · 12 s"
        );
        let reached = Reached {
            phase: Phase::Solving,
            states: 12_999,
            attacks: 18,
            decided: 3,
            ..Reached::default()
        };
        let line = Line(reached, 1).to_string();
        assert_eq!(
            line,
            "solving formulas · 3 of 18 attacks · 12k states · 1 s"
        );
        let nothing = Line(Reached::default(), 2).to_string();
        assert_eq!(nothing, "preparing · 2 s");
    }
}
