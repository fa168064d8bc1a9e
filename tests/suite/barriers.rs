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
    "pthread_cancel",
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
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
    __builtin_alloca alloca error error_at_line fscanf mmap mprotect munmap scanf sscanf \
    asprintf clearerr creat fstat ftruncate getc_unlocked lseek open pread putc_unlocked pwrite stat fclose fdatasync fdopen feof ferror fgetc fgets fileno fopen fputc fseek fsync ftell fwrite getc \
    getchar isatty madvise putc remove rewind sprintf tmpfile unlink \
    __builtin_usubll_overflow __errno_location aligned_alloc atoi atol atoll clock clock_getres \
    clock_gettime err errx ffs ffsl ffsll get_nprocs get_nprocs_conf getcpu geteuid getpagesize getpid \
    getppid getrusage gettimeofday getuid lrand48 memalign memcmp memcpy memmove memset mlockall mrand48 \
    posix_memalign pthread_getaffinity_np pthread_setaffinity_np pthread_setcancelstate \
    pthread_setcanceltype pthread_setschedparam pthread_sigmask pthread_testcancel rand_r realloc \
    getenv getopt getopt_long localtime_r secure_getenv snprintf strerror strerror_r strerrorname_np strftime \
    strsignal vsnprintf sched_getaffinity sched_getcpu sched_setaffinity sched_setscheduler setbuf setlinebuf setpriority \
    setvbuf sigaction sigaddset sigdelset sigemptyset sigfillset signal sigprocmask strtol strtoll \
    strtoul strtoull sysconf time timespec_get vdprintf vfprintf vprintf warn warnx";

/// Functions that the built-in headers define by others, which the probes call: corpus files have those that programs
/// use to wait and to wake.
const OF_HEADERS: &str = "\
    __assign_bit __change_bit __clear_bit __clear_bit_unlock __set_bit __set_current_state __test_and_change_bit \
    __test_and_clear_bit __test_and_set_bit add_timer add_wait_queue add_wait_queue_exclusive \
    alloc_ordered_workqueue alloc_workqueue assert_raw_spin_locked assert_spin_locked assign_bit \
    atomic64_cond_read_acquire atomic64_cond_read_relaxed atomic_cond_read_acquire atomic_cond_read_relaxed \
    atomic_dec_and_lock atomic_dec_and_lock_irqsave atomic_dec_and_mutex_lock atomic_dec_if_positive \
    atomic_dec_unless_positive atomic_inc_unless_negative atomic_long_cond_read_acquire \
    atomic_long_cond_read_relaxed call_rcu_hurry call_srcu cancel_delayed_work cancel_delayed_work_sync cancel_work \
    cancel_work_sync close cmpxchg64 cmpxchg64_local cmpxchg_local complete complete_all completion_done \
    create_singlethread_workqueue create_workqueue del_timer del_timer_sync delayed_work_pending destroy_rcu_head \
    destroy_workqueue down down_interruptible down_killable down_read down_read_interruptible down_read_killable \
    down_read_trylock down_timeout down_trylock down_write down_write_killable down_write_trylock downgrade_write \
    drain_workqueue eventfd eventfd_read eventfd_write fatal_signal_pending fcntl ffz find_first_bit \
    find_first_zero_bit find_next_bit find_next_zero_bit finish_wait fls fls64 fls_long flush_delayed_work \
    flush_scheduled_work flush_work flush_workqueue for_each_clear_bit for_each_set_bit get_cpu get_cpu_ptr \
    get_cpu_var hweight16 hweight32 hweight64 hweight8 hweight_long in_interrupt in_task init_rcu_head io_schedule \
    io_stop_wc ioread16 ioread32 ioread8 iowrite16 iowrite32 iowrite8 kfree_rcu kfree_rcu_mightsleep \
    kmem_cache_alloc kmem_cache_create kmem_cache_destroy kmem_cache_free kmem_cache_zalloc kref_get \
    kref_get_unless_zero kref_put kthread_create kthread_create_on_cpu kthread_create_on_node \
    kthread_freezable_should_stop kthread_run kthread_run_on_cpu kthread_should_stop kthread_stop kthread_stop_put \
    kvfree_rcu kvfree_rcu_mightsleep might_sleep mmiowb mod_delayed_work mutex_lock_interruptible_nested \
    mutex_lock_io mutex_lock_killable mutex_lock_killable_nested mutex_lock_nest_lock mutex_lock_nested need_resched \
    per_cpu per_cpu_ptr pipe pipe2 poll prefetch prefetchw prepare_to_wait prepare_to_wait_exclusive put_cpu \
    queue_delayed_work queue_work_on raw_cpu_ptr raw_smp_processor_id rcu_dereference_bh_check \
    rcu_dereference_raw_check rcu_dereference_sched rcu_dereference_sched_check rcu_pointer_handoff \
    rcu_read_lock_any_held rcu_read_lock_bh_held rcu_read_lock_held rcu_read_lock_sched rcu_read_lock_sched_held \
    rcu_read_unlock_sched rcu_replace_pointer read readb readl readq readw refcount_dec_and_lock \
    refcount_dec_and_mutex_lock remove_wait_queue schedule schedule_delayed_work schedule_timeout \
    schedule_timeout_idle schedule_timeout_interruptible schedule_timeout_killable schedule_timeout_uninterruptible \
    schedule_work_on set_current_state signal_pending smp_mb__after_unlock_lock smp_processor_id spin_lock_bh_nested \
    spin_lock_irqsave_nested spin_lock_nest_lock spin_lock_nested spin_needbreak srcu_barrier sync_cmpxchg \
    synchronize_net synchronize_rcu_bh synchronize_rcu_expedited synchronize_sched synchronize_sched_expedited \
    synchronize_srcu_expedited tasklet_hi_schedule tasklet_init tasklet_kill tasklet_setup this_cpu_add \
    this_cpu_add_return this_cpu_and this_cpu_cmpxchg this_cpu_dec this_cpu_dec_return this_cpu_inc \
    this_cpu_inc_return this_cpu_or this_cpu_ptr this_cpu_read this_cpu_sub this_cpu_sub_return this_cpu_write \
    this_cpu_xchg timer_pending timer_reduce timer_setup try_cmpxchg64 try_wait_for_completion \
    unrcu_pointer up up_read up_write wait_event wait_event_cmd wait_event_freezable wait_event_idle \
    wait_event_interruptible wait_event_killable wait_event_lock_irq wait_event_timeout wait_for_completion \
    wait_for_completion_interruptible wait_for_completion_timeout waitqueue_active wake_up wake_up_all \
    wake_up_all_locked wake_up_interruptible wake_up_interruptible_all wake_up_interruptible_nr \
    wake_up_interruptible_poll wake_up_interruptible_sync wake_up_locked wake_up_nr wake_up_poll wake_up_process \
    wake_up_state wake_up_sync timer_shutdown timer_shutdown_sync request_irq request_threaded_irq devm_request_irq \
    free_irq devm_free_irq synchronize_irq rcu_swap_protected kfifo_put kfifo_in kfifo_get kfifo_out kfifo_in_spinlocked \
    kfifo_out_spinlocked kfifo_len kfifo_is_empty kfifo_is_full rb_link_node rb_erase rb_replace_node rb_link_node_rcu \
    rb_first rb_last rb_next rb_prev rb_insert_color strscpy kmemdup kstrdup wait_on_bit wait_on_bit_io \
    wait_on_bit_lock wake_up_bit clear_and_wake_up_bit test_and_clear_wake_up_bit on_exit work_pending wq_has_sleeper write writeb writel writeq writew xadd yield \
    __bit_spin_unlock access_ok alloc_chrdev_region alloc_skb allow_signal atomic_notifier_call_chain \
    atomic_notifier_chain_register atomic_notifier_chain_unregister bit_spin_is_locked bit_spin_lock \
    bit_spin_trylock bit_spin_unlock blocking_notifier_call_chain blocking_notifier_chain_register \
    blocking_notifier_chain_unregister cdev_add cdev_alloc cdev_del cdev_init class_create class_destroy clear_user \
    consume_skb copy_from_iter copy_from_user copy_to_iter copy_to_user cpus_read_lock cpus_read_unlock \
    debugfs_create_dir debugfs_create_file debugfs_create_file_unsafe debugfs_remove debugfs_remove_recursive \
    dev_get_drvdata dev_set_drvdata device_create device_create_file device_destroy device_remove_file devm_kcalloc \
    devm_kfree devm_kmalloc devm_kzalloc disable_irq disable_irq_nosync disallow_signal dma_alloc_coherent \
    dma_free_coherent dma_map_single dma_mapping_error dma_set_coherent_mask dma_set_mask dma_set_mask_and_coherent \
    dma_sync_single_for_cpu dma_sync_single_for_device dma_unmap_single enable_irq get_user hrtimer_active \
    hrtimer_cancel hrtimer_forward hrtimer_forward_now hrtimer_init hrtimer_is_queued hrtimer_restart hrtimer_setup \
    hrtimer_start hrtimer_start_expires hrtimer_start_range_ns hrtimer_try_to_cancel kfree_skb kobject_add \
    kobject_del kobject_get kobject_init kobject_init_and_add kobject_put krealloc kthread_create_worker \
    kthread_destroy_worker kthread_flush_work kthread_flush_worker kthread_park kthread_parkme kthread_queue_work \
    kthread_run_worker kthread_should_park kthread_unpark local_lock local_lock_irq local_unlock local_unlock_irq \
    memcpy_fromio memcpy_toio mempool_alloc mempool_create_kmalloc_pool mempool_create_slab_pool mempool_destroy \
    mempool_free misc_deregister misc_register module_put no_llseek nonseekable_open noop_llseek percpu_counter_add \
    percpu_counter_add_batch percpu_counter_dec percpu_counter_inc percpu_counter_read percpu_counter_sub \
    percpu_counter_sum platform_driver_register platform_driver_unregister platform_get_drvdata platform_get_irq \
    platform_set_drvdata poll_wait proc_create proc_create_data proc_create_single proc_mkdir proc_remove put_user \
    raw_notifier_call_chain raw_notifier_chain_register raw_notifier_chain_unregister rcuwait_active \
    rcuwait_wait_event rcuwait_wake_up read_poll_timeout read_poll_timeout_atomic readb_poll_timeout \
    readl_poll_timeout readl_poll_timeout_atomic readl_relaxed_poll_timeout readw_poll_timeout readx_poll_timeout \
    register_chrdev register_chrdev_region remove_proc_entry rt_mutex_lock rt_mutex_lock_interruptible \
    rt_mutex_trylock rt_mutex_unlock schedule_hrtimeout seq_lseek seq_printf seq_putc seq_puts seq_read \
    set_mask_bits set_special_state signal_pending_state simple_open single_open single_release skb_dequeue \
    skb_dequeue_tail skb_get skb_peek skb_peek_tail skb_queue_empty skb_queue_head skb_queue_len skb_queue_purge \
    skb_queue_tail skb_unlink stream_open strncpy_from_user swait_active swait_event_exclusive \
    swait_event_interruptible_exclusive swake_up_one sysfs_emit try_module_get u64_stats_add \
    u64_stats_fetch_begin u64_stats_fetch_retry u64_stats_inc u64_stats_read u64_stats_set u64_stats_update_begin \
    u64_stats_update_end unregister_chrdev unregister_chrdev_region";

/// Functions of the kernel that are executed by threads, or wait for those.
const STARTS_THREADS: [&str; 8] = [
    "call_rcu",
    "mod_timer",
    "queue_work",
    "schedule_work",
    "tasklet_schedule",
    "timer_delete",
    "timer_delete_sync",
    "try_to_del_timer_sync",
];

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
            let is_of_headers = OF_HEADERS.split_whitespace().any(|one| one == name);
            let code = if is_of_headers {
                None
            } else if is_of_kernel {
                kernel_code(name, path)
            } else {
                code(name, path)
            };
            let is_without = WITHOUT.contains(&name)
                || FILLING.split_whitespace().any(|one| one == name)
                || is_of_headers
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
#include <linux/srcu.h>
#include <linux/interrupt.h>
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
            probe.is_of_kernel == is_of_kernel
                && !probe.path.contains("several threads")
                && !STARTS_THREADS.contains(&probe.name.as_str())
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
