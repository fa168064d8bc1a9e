//! What library functions drain, by the guide: store buffering with calls between the store and the load
//! of each thread is possible under TSO unless both threads call something that executes a locked
//! instruction, by the tables of `barriers.md`.

#![allow(
    clippy::expect_used,
    reason = "a test that cannot read the guide has failed"
)]

use crate::support::config::config;
use crate::support::probes::{Code, code, kernel_code};
use fencepost::internals::check::{CheckOptions, check};
use fencepost::internals::formats::{Format, ParseOptions, parse_with};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use proptest::prelude::*;
use std::fmt::Write;

/// A path through a function that a program can be made to take.
#[derive(Clone, Debug)]
struct Probe {
    name: String,
    path: String,
    /// Whether it executes a locked instruction, by the guide.
    drains: bool,
    is_of_kernel: bool,
    code: Code,
}

/// Functions that end something, that decide what an execution is, or whose row says that more is executed
/// than is modelled; attributes, and objects that cannot be made anew where they are destroyed.
const WITHOUT: &[&str] = &[
    "pthread_exit",
    "thrd_exit",
    "pthread_equal",
    "thrd_equal",
    "pthread_detach",
    "thrd_detach",
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "pthread_setname_np",
    "pthread_setconcurrency",
    "mtx_destroy",
    "pthread_spin_destroy",
    "pthread_cond_destroy",
    "cnd_destroy",
    "pthread_barrier_destroy",
    "sem_destroy",
    "__assert_fail",
    "__builtin_unreachable",
    "__builtin_trap",
    "reach_error",
    "assume_abort_if_not",
    "mtx_unlock",
];

/// Functions that take values, or objects that they fill in, and order nothing: no probe calls them.
const FILLING: &str = "\
    __builtin_add_overflow __builtin_bswap16 __builtin_bswap32 __builtin_bswap64 __builtin_clz \
    __builtin_clzl __builtin_clzll __builtin_ctz __builtin_ctzl __builtin_ctzll __builtin_ffs \
    __builtin_ffsl __builtin_ffsll __builtin_memcmp __builtin_memcpy __builtin_memmove __builtin_memset \
    __builtin_mul_overflow __builtin_parity __builtin_parityl __builtin_parityll __builtin_popcount \
    __builtin_popcountl __builtin_popcountll __builtin_sadd_overflow __builtin_saddl_overflow \
    __builtin_saddll_overflow __builtin_smul_overflow __builtin_smull_overflow __builtin_smulll_overflow \
    __builtin_ssub_overflow __builtin_ssubl_overflow __builtin_ssubll_overflow __builtin_sub_overflow \
    __builtin_uadd_overflow __builtin_uaddl_overflow __builtin_uaddll_overflow __builtin_umul_overflow \
    __builtin_umull_overflow __builtin_umulll_overflow __builtin_usub_overflow __builtin_usubl_overflow \
    __builtin_usubll_overflow __errno_location aligned_alloc atoi atol atoll clock clock_getres \
    clock_gettime err errx ffs ffsl ffsll get_nprocs get_nprocs_conf getcpu geteuid getpagesize getpid \
    getppid getrusage gettimeofday getuid lrand48 memalign memcmp memcpy memmove memset mlockall mrand48 \
    posix_memalign pthread_getaffinity_np pthread_setaffinity_np pthread_setcancelstate \
    pthread_setcanceltype pthread_setschedparam pthread_sigmask pthread_testcancel rand_r realloc \
    getenv getopt getopt_long localtime_r secure_getenv snprintf strerror strerror_r strerrorname_np strftime \
    strsignal vsnprintf sched_getaffinity sched_getcpu sched_setaffinity sched_setscheduler setbuf setlinebuf setpriority \
    setvbuf sigaction sigaddset sigdelset sigemptyset sigfillset signal sigprocmask strtol strtoll \
    strtoul strtoull sysconf time timespec_get vdprintf vfprintf vprintf warn warnx";

/// All paths of the guide in C.
fn probes() -> Vec<Probe> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/barriers.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let mut probes = Vec::new();
    let mut is_of_kernel = false;
    for line in page.lines() {
        if line == "## Rust" {
            break;
        }
        if line.starts_with("## ") {
            is_of_kernel = line.contains("kernel");
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, functions, path, executed, ..] = cells.as_slice() else {
            continue;
        };
        for name in functions.split('`').skip(1).step_by(2) {
            assert!(
                ["locked", "load", "store", "nothing"].contains(executed),
                "{line}"
            );
            let code = if is_of_kernel {
                kernel_code(name, path)
            } else {
                code(name, path)
            };
            let is_without = WITHOUT.contains(&name)
                || FILLING.split_whitespace().any(|one| one == name)
                || *path == "some thread waits"
                || name.contains("attr")
                || name.starts_with("__VERIFIER") && code.is_none();
            assert!(
                code.is_some() || is_without,
                "no program for `{name}`, {path}"
            );
            probes.extend(code.map(|code| Probe {
                name: name.to_owned(),
                path: (*path).to_owned(),
                drains: *executed == "locked",
                is_of_kernel,
                code,
            }));
        }
    }
    probes
}

const HEADERS: &str = "#include <pthread.h>
#include <threads.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <immintrin.h>
";
const KERNEL: &str = "#include <pthread.h>
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
";

/// Store buffering with these calls between the store and the load of each thread.
fn program(calls: [&[Probe]; 2]) -> String {
    let mut number = 0;
    let (mut objects, mut setup) = (String::new(), String::new());
    let mut bodies = Vec::new();
    for probes in calls {
        let (mut before, mut between) = (String::new(), String::new());
        for probe in probes {
            number += 1;
            let own = |text: &str| {
                let text = text.replace('#', &number.to_string());
                text.replace('@', &probe.name)
            };
            let code = probe.code;
            writeln!(objects, "{}", own(code.objects)).expect("a string");
            writeln!(setup, "    {}", own(code.setup)).expect("a string");
            write!(before, "{} ", own(code.before)).expect("a string");
            write!(between, "{} ", own(code.call)).expect("a string");
        }
        bodies.push((before, between));
    }
    let is_of_kernel = calls.concat().iter().any(|probe| probe.is_of_kernel);
    let headers = if is_of_kernel { KERNEL } else { HEADERS };
    let [(before0, between0), (before1, between1)] = [&bodies[0], &bodies[1]];
    format!(
        "{headers}#include <assert.h>
static volatile int x, y;
static int a, b;
{objects}
static void *first(void *u) {{ {before0} x = 1; {between0} a = y; return 0; }}
static void *second(void *u) {{ {before1} y = 1; {between1} b = x; return 0; }}
int main(void)
{{
    pthread_t p, q;
{setup}
    pthread_create(&p, 0, first, 0);
    pthread_create(&q, 0, second, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(a || b);
    return 0;
}}
"
    )
}

fn verdict(text: &str, model: Model) -> String {
    let parsed = parse_with(Format::C, text, &ParseOptions::new().name("t.c"));
    let rendered = parsed.render("t.c", text, false);
    let program = parsed
        .program
        .unwrap_or_else(|| panic!("{rendered}\n{text}"));
    let report = check(&program, &CheckOptions::new(model), &Budget::default());
    report.expect("no defect").verdict().word().to_owned()
}

/// Whether the program with these calls is as the guide says.
fn agrees(calls: [&[Probe]; 2]) {
    let text = program(calls);
    let drained = calls.map(|probes| probes.iter().any(|probe| probe.drains));
    let wanted = if drained == [true, true] {
        "holds"
    } else {
        "violated"
    };
    let named = || {
        let names = calls.concat();
        let names: Vec<String> = names
            .iter()
            .map(|probe| format!("{} ({})", probe.name, probe.path))
            .collect();
        format!("{}\n{text}", names.join(", "))
    };
    assert_eq!(verdict(&text, Model::Sc), "holds", "sc: {}", named());
    assert_eq!(verdict(&text, Model::Tso), wanted, "tso: {}", named());
}

#[test]
fn a_function_drains_the_buffer_just_where_the_guide_says_so() {
    let probes = probes();
    assert!(probes.len() > 200, "{}", probes.len());
    let fence = |of: &Probe| {
        let name = if of.is_of_kernel {
            "smp_mb"
        } else {
            "__sync_synchronize"
        };
        let mut fences = probes.iter().filter(|probe| probe.name == name);
        fences.next().cloned().expect("a full fence")
    };
    for probe in &probes {
        agrees([std::slice::from_ref(probe), &[fence(probe)]]);
    }
}

/// Some calls of C, or of the kernel.
fn some_calls() -> impl Strategy<Value = (Vec<Probe>, Vec<Probe>)> {
    let probes = probes();
    any::<bool>().prop_flat_map(move |is_of_kernel| {
        // A program with several threads more takes too long.
        let fits = |probe: &&Probe| {
            probe.is_of_kernel == is_of_kernel && !probe.path.contains("several threads")
        };
        let of_kind: Vec<Probe> = probes.iter().filter(fits).cloned().collect();
        let some = prop::collection::vec(prop::sample::select(of_kind), 1..3);
        (some.clone(), some)
    })
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn calls_drain_the_buffer_if_one_of_them_does((left, right) in some_calls()) {
        agrees([&left, &right]);
    }
}
