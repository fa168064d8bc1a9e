//! How much memory there is, how much we have, and how much we take at most.
//!
//! The limit is on the resident set of the process, which the thread that waits for an answer looks
//! at (`limits`). By default it is three quarters of what is there: of the memory that the system
//! could still give when we start, or that the control group of the process may have, whichever is
//! less. Where address space is limited (`ulimit -v`), allocations fail before any memory is short,
//! so three quarters of that are a limit too.
//!
//! **Incomplete:** one allocation of more than the quarter that is left may fail before it is seen.

use std::fs;
use sysinfo::{
    MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System, get_current_pid,
};

/// Reads a number of bytes as users write it: `512M`, `1.5G`, in units of powers of 1024.
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
        return Err("no answer takes no memory at all".to_owned());
    }
    Ok(bytes)
}

/// What the process may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Allowance {
    /// Of memory.
    resident: u64,
    /// Of address space, if that is limited.
    addresses: Option<u64>,
}

impl Allowance {
    /// What the user says, or else three quarters of what is there; none if the system does not say
    /// how much that is.
    pub(super) fn new(said: Option<u64>) -> Option<Self> {
        let resident = match said {
            Some(bytes) => bytes,
            None => three_quarters(available()?),
        };
        let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
        Some(Self {
            resident,
            addresses: limit_of_addresses(&limits).map(three_quarters),
        })
    }

    /// How much of it the process has taken.
    pub(super) fn use_now(self) -> Use {
        memory_stats::memory_stats().map_or(Use::Low, |used| {
            self.used(used.physical_mem as u64, used.virtual_mem as u64)
        })
    }

    fn used(self, resident: u64, addresses: u64) -> Use {
        let memory = Use::of(resident, self.resident);
        let addresses = self.addresses.map(|limit| Use::of(addresses, limit));
        addresses.map_or(memory, |addresses| memory.max(addresses))
    }
}

/// How much of a limit is used, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Use {
    /// Less than half.
    Low,
    /// Half or more: worth looking at often.
    High,
    /// All of this limit.
    Full(u64),
    /// So much more than all of it that no engine can be waited for.
    Exceeded(u64),
}

impl Use {
    fn of(used: u64, limit: u64) -> Self {
        if used >= limit.saturating_add(limit / 8) {
            Use::Exceeded(limit)
        } else if used >= limit {
            Use::Full(limit)
        } else if used >= limit / 2 {
            Use::High
        } else {
            Use::Low
        }
    }
}

fn three_quarters(bytes: u64) -> u64 {
    bytes - bytes / 4
}

/// How much memory this process could have, if the system tells.
fn available() -> Option<u64> {
    let kinds = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let mut system = System::new_with_specifics(kinds).ok()?;
    let free = system.available_memory();
    let grouped = get_current_pid().ok().and_then(|own| {
        let own_alone = ProcessesToUpdate::Some(&[own]);
        system.refresh_processes_specifics(own_alone, false, ProcessRefreshKind::nothing());
        system.process(own)?.cgroup_limits()
    });
    // A group that is full of cached files has little free, and gives them up where it must.
    let grouped = grouped.map(|group| group.total_memory);
    let least = grouped.map_or(free, |group| group.min(free));
    (least > 0).then_some(least)
}

/// The soft limit of address space or of data, whichever is less, in what Linux says of limits.
fn limit_of_addresses(limits: &str) -> Option<u64> {
    let soft = |name: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let all = [soft("Max address space"), soft("Max data size")];
    all.into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
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
    fn the_limits_of_a_shell_are_read() {
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

    #[test]
    fn either_limit_is_one() {
        let allowance = Allowance {
            resident: 800,
            addresses: Some(8000),
        };
        assert_eq!(allowance.used(399, 3999), Use::Low);
        assert_eq!(allowance.used(400, 0), Use::High);
        assert_eq!(allowance.used(0, 4000), Use::High);
        assert_eq!(allowance.used(799, 7999), Use::High);
        assert_eq!(allowance.used(800, 0), Use::Full(800));
        assert_eq!(allowance.used(0, 8000), Use::Full(8000));
        assert_eq!(allowance.used(899, 8000), Use::Full(8000));
        assert_eq!(allowance.used(900, 0), Use::Exceeded(800));
        let unlimited = Allowance {
            addresses: None,
            ..allowance
        };
        assert_eq!(unlimited.used(399, u64::MAX), Use::Low);
    }

    #[test]
    fn what_we_take_by_default_is_less_than_what_is_there() {
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
