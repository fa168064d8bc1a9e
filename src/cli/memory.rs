//! The memory limit: how much is available, and how much the process uses.
//!
//! The limit applies to the resident set of the process, which the thread that waits for an engine polls
//! (`limits`). By default it is three quarters of the memory that is available at the start, or of the
//! memory that the control group may use, whichever is less. If the address space is limited
//! (`ulimit -v`), allocations fail before memory runs out, so three quarters of that is a limit, too.
//!
//! **Incomplete:** a single allocation larger than the remaining quarter may fail before it is noticed.

use std::fs;
use sysinfo::{
    MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System, get_current_pid,
};

/// Parses a number of bytes, such as `512M` or `1.5G`; units are powers of 1024.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let wrong = || "expected a size, as in `4G`, `1.5G` or `512M`".to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor: u64 = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        "t" | "tb" | "tib" => 1 << 40,
        _ => return Err(wrong()),
    };
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(decimals) || decimals.len() > 6 {
        return Err(wrong());
    }
    let whole: u128 = whole.parse().map_err(|_| wrong())?;
    let part: u128 = decimals.parse().map_err(|_| wrong())?;
    let scale = 10_u128.pow(decimals.len() as u32);
    let bytes = whole
        .checked_mul(factor.into())
        .and_then(|bytes| bytes.checked_add(part * u128::from(factor) / scale))
        .and_then(|bytes| u64::try_from(bytes).ok())
        .ok_or_else(wrong)?;
    if bytes == 0 {
        return Err("the limit must be greater than 0".to_owned());
    }
    Ok(bytes)
}

/// The memory that the process may use, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Allowance {
    /// The resident set size.
    resident: u64,
    /// The address space, if it is limited.
    addresses: Option<u64>,
}

impl Allowance {
    /// The limit that the user set, or else three quarters of the available memory; `None` if the
    /// system does not report that.
    pub(super) fn new(requested: Option<u64>) -> Option<Self> {
        let resident = match requested {
            Some(bytes) => bytes,
            None => three_quarters(available()?),
        };
        let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
        Some(Self {
            resident,
            addresses: limit_of_addresses(&limits).map(three_quarters),
        })
    }

    /// Starts to watch the memory that is used from now on.
    pub(super) fn watch(self) -> Watch {
        self.watch_from(Taken::now())
    }

    fn watch_from(self, start: Taken) -> Watch {
        Watch {
            resident: Mark::new(self.resident, start.resident),
            addresses: self
                .addresses
                .map(|limit| Mark::new(limit, start.addresses)),
        }
    }
}

/// The memory that the process uses, in bytes.
#[derive(Clone, Copy, Default, Debug)]
struct Taken {
    resident: u64,
    addresses: u64,
}

impl Taken {
    /// The current usage; zero if the system does not report it.
    fn now() -> Self {
        memory_stats::memory_stats().map_or(Self::default(), |now| Self {
            resident: now.physical_mem as u64,
            addresses: now.virtual_mem as u64,
        })
    }
}

/// The thresholds that the usage is compared with while an engine runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    resident: Mark,
    addresses: Option<Mark>,
}

impl Watch {
    /// How much of the allowance the process uses.
    pub(super) fn usage(self) -> Usage {
        self.usage_of(Taken::now())
    }

    fn usage_of(self, now: Taken) -> Usage {
        let addresses = self.addresses.map(|mark| mark.usage(now.addresses));
        let resident = self.resident.usage(now.resident);
        addresses.map_or(resident, |addresses| resident.max(addresses))
    }
}

/// A limit, and the usage at which it counts as reached.
#[derive(Clone, Copy, Debug)]
struct Mark {
    limit: u64,
    full: u64,
}

impl Mark {
    /// The allocator keeps the memory that earlier queries freed, so the process may exceed the limit
    /// before this query starts. In that case the limit counts as reached when the query takes more
    /// than that: a 64th of the limit more, up to a sixteenth above the limit.
    fn new(limit: u64, start: u64) -> Self {
        let more = start.saturating_add(limit / 64);
        let most = limit.saturating_add(limit / 16);
        Self {
            limit,
            full: if start >= limit {
                more.min(most)
            } else {
                limit
            },
        }
    }

    fn usage(self, taken: u64) -> Usage {
        let Self { limit, full } = self;
        if taken >= limit.saturating_add(limit / 8) {
            Usage::Exceeded(limit)
        } else if taken >= full {
            Usage::Full(limit)
        } else if taken >= limit / 2 {
            Usage::High
        } else {
            Usage::Low
        }
    }
}

/// How much of a limit is used, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Usage {
    /// Less than half.
    Low,
    /// Half or more: polled at the shorter interval.
    High,
    /// All of this limit.
    Full(u64),
    /// So far above the limit that there is no time to wait for the engine.
    Exceeded(u64),
}

fn three_quarters(bytes: u64) -> u64 {
    bytes - bytes / 4
}

/// The memory available to this process, if the system reports it.
fn available() -> Option<u64> {
    let kinds = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let mut system = System::new_with_specifics(kinds).ok()?;
    let free = system.available_memory();
    let grouped = get_current_pid().ok().and_then(|own| {
        let own_alone = ProcessesToUpdate::Some(&[own]);
        system.refresh_processes_specifics(own_alone, false, ProcessRefreshKind::nothing());
        system.process(own)?.cgroup_limits()
    });
    // Not the free memory of the group: page cache counts as used there, but can be reclaimed.
    let grouped = grouped.map(|group| group.total_memory);
    let least = grouped.map_or(free, |group| group.min(free));
    (least > 0).then_some(least)
}

/// The soft limit of address space or of data, whichever is less, in the text of
/// `/proc/self/limits`.
fn limit_of_addresses(limits: &str) -> Option<u64> {
    let soft = |name: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let all = [soft("Max address space"), soft("Max data size")];
    all.into_iter().flatten().min()
}

/// The peak resident set size of this process, if the system reports it.
pub(super) fn peak_rss_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_parsed() {
        for (text, bytes) in [
            ("1", 1),
            ("4096", 4096),
            ("512M", 512 << 20),
            ("512MiB", 512 << 20),
            ("4g", 4 << 30),
            ("1.5G", 3 << 29),
            ("2T", 2 << 40),
            ("0.25k", 256),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "G",
            "-1",
            "1.G",
            ".5G",
            "1e9",
            "4X",
            "4 G",
            "0",
            "0.0G",
            "99999999999T",
            "1.2.3G",
            "½G",
        ] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_limits_of_a_shell_are_parsed() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
             Max data size             unlimited            unlimited            bytes     \n\
             Max address space         1048576000           unlimited            bytes     \n";
        assert_eq!(limit_of_addresses(limits), Some(1_048_576_000));
        let less = limits.replacen("unlimited ", "500 ", 1);
        assert_eq!(limit_of_addresses(&less), Some(500));
        assert_eq!(
            limit_of_addresses(&limits.replace("1048576000", "unlimited")),
            None
        );
        assert_eq!(limit_of_addresses(""), None);
    }

    const ALLOWANCE: Allowance = Allowance {
        resident: 6400,
        addresses: Some(64_000),
    };

    fn taken(resident: u64, addresses: u64) -> Taken {
        Taken {
            resident,
            addresses,
        }
    }

    #[test]
    fn the_stricter_limit_determines_the_usage() {
        let watch = ALLOWANCE.watch_from(Taken::default());
        for (now, usage) in [
            (taken(3199, 31_999), Usage::Low),
            (taken(3200, 0), Usage::High),
            (taken(0, 32_000), Usage::High),
            (taken(6399, 63_999), Usage::High),
            (taken(6400, 0), Usage::Full(6400)),
            (taken(0, 64_000), Usage::Full(64_000)),
            (taken(7199, 0), Usage::Full(6400)),
            (taken(7200, 0), Usage::Exceeded(6400)),
            (taken(6400, 72_000), Usage::Exceeded(64_000)),
        ] {
            assert_eq!(watch.usage_of(now), usage, "{now:?}");
        }
        let unlimited = Allowance {
            addresses: None,
            ..ALLOWANCE
        };
        let watch = unlimited.watch_from(Taken::default());
        assert_eq!(watch.usage_of(taken(3199, u64::MAX)), Usage::Low);
    }

    #[test]
    fn memory_that_was_freed_may_be_used_again_but_no_more() {
        let usage = |start, now| {
            let watch = ALLOWANCE.watch_from(taken(start, 0));
            watch.usage_of(taken(now, 0))
        };
        assert_eq!(usage(6399, 6400), Usage::Full(6400));
        assert_eq!(usage(6500, 6500), Usage::High);
        assert_eq!(usage(6500, 6599), Usage::High);
        assert_eq!(usage(6500, 6600), Usage::Full(6400));
        // The excess is bounded, so it does not accumulate over several queries.
        assert_eq!(usage(6750, 6799), Usage::High);
        assert_eq!(usage(6750, 6800), Usage::Full(6400));
        assert_eq!(usage(7300, 7300), Usage::Exceeded(6400));
    }

    #[test]
    fn the_default_limit_is_less_than_the_total_memory() {
        if let Some(allowance) = Allowance::new(None) {
            let all = System::new_with_specifics(
                RefreshKind::nothing().with_memory(MemoryRefreshKind::everything()),
            );
            assert!(all.is_ok_and(|all| allowance.resident < all.total_memory()));
        }
        assert_eq!(
            Allowance::new(Some(7)).map(|allowance| allowance.resident),
            Some(7)
        );
    }
}
