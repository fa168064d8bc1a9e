//! Calls of library functions that take each path of the tables in the guide (`barriers.md`).

#![allow(
    clippy::match_same_arms,
    reason = "the arms are in the order of the guide"
)]

/// How to take the path; `#` is a number of its own for each call.
#[derive(Clone, Copy, Default, Debug)]
pub struct Code {
    /// At file scope.
    pub objects: &'static str,
    /// In `main`, before the threads are created.
    pub setup: &'static str,
    /// In the thread, before its store.
    pub before: &'static str,
    /// Between its store and its load. `@` is the function.
    pub call: &'static str,
}

const fn call(call: &'static str) -> Code {
    Code {
        objects: "",
        setup: "",
        before: "",
        call,
    }
}

impl Code {
    const fn objects(self, objects: &'static str) -> Self {
        Self { objects, ..self }
    }

    const fn setup(self, setup: &'static str) -> Self {
        Self { setup, ..self }
    }

    const fn before(self, before: &'static str) -> Self {
        Self { before, ..self }
    }
}

const MUTEX: &str = "static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;";
const MTX: &str = "static mtx_t m#;";
const SPIN: &str = "static pthread_spinlock_t m#;";
const RWLOCK: &str = "static pthread_rwlock_t m# = PTHREAD_RWLOCK_INITIALIZER;";
const ONCE: &str = "static pthread_once_t o# = PTHREAD_ONCE_INIT; static void f#(void) {}";
const FLAG: &str = "static once_flag o# = ONCE_FLAG_INIT; static void f#(void) {}";
const OTHER: &str = "static pthread_barrier_t b#; static pthread_t h#;
    static void *f#(void *u) { pthread_barrier_wait(&b#); return 0; }";
const INT: &str = "static int v#;";
const ATOMIC: &str = "static atomic_int v#;";
const SORTED: &str = "static int v#[2] = { 2, 1 };
    static int f#(const void *a, const void *b) { return *(int *)a - *(int *)b; }";
const KEY: &str = "static pthread_key_t k#;";
const TSS: &str = "static tss_t k#;";
const COUNTER: &str = "static atomic_t v#;";

/// How to take a path of a function; `None` if there is no way between a store and a load, or if nothing is
/// modelled.
pub fn code(name: &str, path: &str) -> Option<Code> {
    Some(match (name, path) {
        ("pthread_mutex_lock" | "pthread_mutex_trylock", "" | "free") => {
            call("@(&m#);").objects(MUTEX)
        }
        ("pthread_mutex_trylock", "taken") => call("@(&m#);")
            .objects(MUTEX)
            .setup("pthread_mutex_lock(&m#);"),
        ("pthread_mutex_lock" | "pthread_mutex_trylock", "recursive, and held")
        | ("pthread_mutex_unlock", "recursive, and held twice") => call("@(&m#);")
            .objects("static pthread_mutex_t m# = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;")
            .before("pthread_mutex_lock(&m#); pthread_mutex_lock(&m#);"),
        ("atexit", _) => call("@(f#);").objects("static void f#(void) {}"),
        ("pthread_key_create", _) => call("@(&k#, 0);").objects(KEY),
        ("pthread_key_delete" | "pthread_getspecific", _) => call("@(k#);").objects(KEY),
        ("pthread_setspecific", _) => call("@(k#, &k#);").objects(KEY),
        ("tss_create", _) => call("@(&k#, 0);").objects(TSS),
        ("tss_delete" | "tss_get", _) => call("@(k#);").objects(TSS),
        ("tss_set", _) => call("@(k#, &k#);").objects(TSS),
        ("qsort", _) => call("@(v#, 2, sizeof v#[0], f#);").objects(SORTED),
        ("bsearch", _) => call("@(v#, v#, 2, sizeof v#[0], f#);").objects(SORTED),
        ("qsort_r", _) => {
            call("@(v#, 2, sizeof v#[0], (int (*)(const void *, const void *, void *))f#, 0);")
                .objects(SORTED)
        }
        ("pthread_mutex_timedlock", path) => taken_if(path, call("@(&m#, 0);").objects(MUTEX)),
        ("pthread_mutex_clocklock", path) => taken_if(path, call("@(&m#, 0, 0);").objects(MUTEX)),
        ("pthread_rwlock_timedrdlock" | "pthread_rwlock_timedwrlock", "free") => {
            call("@(&m#, 0);").objects(RWLOCK)
        }
        ("pthread_rwlock_timedrdlock" | "pthread_rwlock_timedwrlock", _) => call("@(&m#, 0);")
            .objects(RWLOCK)
            .setup("pthread_rwlock_wrlock(&m#);"),
        ("mtx_timedlock", "free") => call("@(&m#, 0);")
            .objects(MTX)
            .setup("mtx_init(&m#, mtx_timed);"),
        ("mtx_timedlock", _) => call("@(&m#, 0);")
            .objects(MTX)
            .setup("mtx_init(&m#, mtx_timed); mtx_lock(&m#);"),
        ("pthread_mutex_unlock", _) => call("@(&m#);")
            .objects(MUTEX)
            .before("pthread_mutex_lock(&m#);"),
        ("mtx_lock" | "mtx_trylock", "" | "free") => call("@(&m#);")
            .objects(MTX)
            .setup("mtx_init(&m#, mtx_plain);"),
        ("mtx_trylock", "taken") => call("@(&m#);")
            .objects(MTX)
            .setup("mtx_init(&m#, mtx_plain); mtx_lock(&m#);"),
        ("pthread_spin_lock" | "pthread_spin_trylock", "" | "free") => call("@(&m#);")
            .objects(SPIN)
            .setup("pthread_spin_init(&m#, 0);"),
        ("pthread_spin_trylock", "taken") => call("@(&m#);")
            .objects(SPIN)
            .setup("pthread_spin_init(&m#, 0); pthread_spin_lock(&m#);"),
        ("pthread_spin_unlock", _) => call("@(&m#);")
            .objects(SPIN)
            .setup("pthread_spin_init(&m#, 0);")
            .before("pthread_spin_lock(&m#);"),
        (
            "pthread_rwlock_rdlock"
            | "pthread_rwlock_wrlock"
            | "pthread_rwlock_tryrdlock"
            | "pthread_rwlock_trywrlock",
            "" | "free",
        ) => call("@(&m#);").objects(RWLOCK),
        ("pthread_rwlock_tryrdlock" | "pthread_rwlock_trywrlock", "taken") => call("@(&m#);")
            .objects(RWLOCK)
            .setup("pthread_rwlock_wrlock(&m#);"),
        ("pthread_rwlock_unlock", _) => call("@(&m#);")
            .objects(RWLOCK)
            .before("pthread_rwlock_wrlock(&m#);"),
        ("pthread_cond_signal" | "pthread_cond_broadcast", "no thread waits") => {
            call("@(&c#);").objects("static pthread_cond_t c# = PTHREAD_COND_INITIALIZER;")
        }
        ("cnd_signal" | "cnd_broadcast", "no thread waits") => call("@(&c#);")
            .objects("static cnd_t c#;")
            .setup("cnd_init(&c#);"),
        ("pthread_cond_wait", _) => call("@(&c#, &m#);")
            .objects(
                "static pthread_cond_t c# = PTHREAD_COND_INITIALIZER;
                static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;",
            )
            .before("pthread_mutex_lock(&m#);"),
        ("pthread_cond_timedwait", _) => call("@(&c#, &m#, &t#);")
            .objects(
                "static struct timespec t#; static pthread_cond_t c# = PTHREAD_COND_INITIALIZER;
                static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;",
            )
            .before("pthread_mutex_lock(&m#);"),
        ("cnd_wait", _) => call("@(&c#, &m#);")
            .objects("static cnd_t c#; static mtx_t m#;")
            .setup("cnd_init(&c#); mtx_init(&m#, mtx_plain);")
            .before("mtx_lock(&m#);"),
        ("cnd_timedwait", _) => call("@(&c#, &m#, &t#);")
            .objects("static struct timespec t#; static cnd_t c#; static mtx_t m#;")
            .setup("cnd_init(&c#); mtx_init(&m#, mtx_plain);")
            .before("mtx_lock(&m#);"),
        ("pthread_barrier_wait", "for one thread") => call("@(&b#);")
            .objects("static pthread_barrier_t b#;")
            .setup("pthread_barrier_init(&b#, 0, 1);"),
        ("pthread_barrier_wait", "for several threads") => call("@(&b#);")
            .objects(OTHER)
            .setup("pthread_barrier_init(&b#, 0, 2); pthread_create(&h#, 0, f#, 0);"),
        ("pthread_once", "first") => call("@(&o#, f#);").objects(ONCE),
        ("pthread_once", "done") => call("@(&o#, f#);")
            .objects(ONCE)
            .setup("pthread_once(&o#, f#);"),
        ("call_once", "first") => call("@(&o#, f#);").objects(FLAG),
        ("call_once", "done") => call("@(&o#, f#);")
            .objects(FLAG)
            .setup("call_once(&o#, f#);"),
        ("sem_wait" | "sem_post", _) | ("sem_trywait", "positive") => call("@(&s#);")
            .objects("static sem_t s#;")
            .setup("sem_init(&s#, 0, 1);"),
        ("sem_getvalue", _) => call("int n#; @(&s#, &n#);")
            .objects("static sem_t s#;")
            .setup("sem_init(&s#, 0, 0);"),
        ("sem_timedwait", path) => {
            call("@(&s#, 0);")
                .objects("static sem_t s#;")
                .setup(if path == "zero" {
                    "sem_init(&s#, 0, 0);"
                } else {
                    "sem_init(&s#, 0, 1);"
                })
        }
        ("sem_trywait", "zero") => call("@(&s#);")
            .objects("static sem_t s#;")
            .setup("sem_init(&s#, 0, 0);"),
        ("pthread_create", _) => call("@(&h#, 0, n#, 0);")
            .objects("static pthread_t h#; static void *n#(void *u) { return 0; }"),
        ("thrd_create", _) => {
            call("@(&h#, n#, 0);").objects("static thrd_t h#; static int n#(void *u) { return 0; }")
        }
        ("pthread_join", _) => call("@(h#, 0);")
            .objects("static pthread_t h#; static void *n#(void *u) { return 0; }")
            .setup("pthread_create(&h#, 0, n#, 0);"),
        ("thrd_join", _) => call("@(h#, 0);")
            .objects("static thrd_t h#; static int n#(void *u) { return 0; }")
            .setup("thrd_create(&h#, n#, 0);"),
        ("syscall", "wait at a futex") => {
            call("@(202, &m#, 0, 1, (void *)0);").objects("static int m#;")
        }
        ("syscall", "wake-up at a futex") => call("@(202, &m#, 1, 1);").objects("static int m#;"),
        ("syscall", "barrier of the process") => call("@(324, 1, 0, 0);"),
        ("syscall", _) => call("@(186);"),
        ("pthread_self" | "thrd_current" | "gettid", _) => call("@();"),
        ("pthread_mutex_init" | "pthread_rwlock_init" | "pthread_cond_init", _) => {
            call("@(&m#, 0);").objects(match name {
                "pthread_mutex_init" => "static pthread_mutex_t m#;",
                "pthread_rwlock_init" => "static pthread_rwlock_t m#;",
                _ => "static pthread_cond_t m#;",
            })
        }
        ("pthread_spin_init", _) => call("@(&m#, 0);").objects(SPIN),
        ("mtx_init", _) => call("@(&m#, mtx_plain);").objects(MTX),
        ("cnd_init", _) => call("@(&m#);").objects("static cnd_t m#;"),
        ("pthread_barrier_init", _) => {
            call("@(&m#, 0, 2);").objects("static pthread_barrier_t m#;")
        }
        ("sem_init", _) => call("@(&m#, 0, 2);").objects("static sem_t m#;"),
        ("pthread_mutex_destroy", _) => call("@(&m#);").objects(MUTEX),
        ("pthread_rwlock_destroy", _) => call("@(&m#);").objects(RWLOCK),
        ("sched_yield" | "thrd_yield" | "pthread_yield" | "rand" | "random", _) => call("@();"),
        ("sleep" | "usleep" | "srand" | "srandom" | "putchar", _) => call("@(1);"),
        ("nanosleep" | "thrd_sleep", _) => call("@(&t#, 0);").objects("static struct timespec t#;"),
        ("malloc" | "free", _) => call("int *p# = malloc(sizeof(int)); free(p#);"),
        ("calloc", _) => call("int *p# = calloc(1, sizeof(int)); free(p#);"),
        ("printf" | "puts" | "perror", _) => call("@(\"a\");"),
        ("fprintf", _) => call("@(stdout, \"a\");"),
        ("dprintf", _) => call("@(1, \"a\");"),
        ("fputs", _) => call("@(\"a\", stdout);"),
        ("fflush", _) => call("@(stdout);"),
        ("__builtin_prefetch", _) => call("@(&v#);").objects(INT),
        (
            "_mm_mfence"
            | "_mm_sfence"
            | "_mm_lfence"
            | "_mm_pause"
            | "__builtin_ia32_mfence"
            | "__builtin_ia32_sfence"
            | "__builtin_ia32_lfence"
            | "__builtin_ia32_pause"
            | "__sync_synchronize",
            _,
        ) => call("@();"),
        ("__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end", _) => {
            call("__VERIFIER_atomic_begin(); __VERIFIER_atomic_end();")
        }
        ("atomic_load", _) => call("@(&v#);").objects(ATOMIC),
        ("atomic_load_explicit", _) => call("@(&v#, memory_order_seq_cst);").objects(ATOMIC),
        ("__atomic_load_n" | "__atomic_clear", _) => call("@(&v#, __ATOMIC_SEQ_CST);").objects(INT),
        ("atomic_store" | "atomic_init" | "atomic_exchange", _) => {
            call("@(&v#, 1);").objects(ATOMIC)
        }
        ("atomic_store_explicit" | "atomic_exchange_explicit", _) => {
            call("@(&v#, 1, memory_order_seq_cst);").objects(ATOMIC)
        }
        ("atomic_flag_clear" | "atomic_flag_test_and_set", _) => {
            call("@(&v#);").objects("static atomic_flag v#;")
        }
        ("atomic_flag_clear_explicit" | "atomic_flag_test_and_set_explicit", _) => {
            call("@(&v#, memory_order_seq_cst);").objects("static atomic_flag v#;")
        }
        ("__atomic_store_n" | "__atomic_exchange_n", _) => {
            call("@(&v#, 1, __ATOMIC_SEQ_CST);").objects(INT)
        }
        ("__atomic_test_and_set", _) => {
            call("@(&v#, __ATOMIC_SEQ_CST);").objects("static char v#;")
        }
        ("__sync_lock_release", _) => call("@(&v#);").objects(INT),
        ("__sync_bool_compare_and_swap" | "__sync_val_compare_and_swap", "succeeds") => {
            call("@(&v#, 0, 1);").objects(INT)
        }
        ("__sync_bool_compare_and_swap" | "__sync_val_compare_and_swap", _) => {
            call("@(&v#, 2, 1);").objects(INT)
        }
        ("atomic_compare_exchange_strong" | "atomic_compare_exchange_weak", "succeeds") => {
            call("int e# = 0; @(&v#, &e#, 1);").objects(ATOMIC)
        }
        ("atomic_compare_exchange_strong" | "atomic_compare_exchange_weak", _) => {
            call("int e# = 2; @(&v#, &e#, 1);").objects(ATOMIC)
        }
        (
            "atomic_compare_exchange_strong_explicit" | "atomic_compare_exchange_weak_explicit",
            "succeeds",
        ) => call("int e# = 0; @(&v#, &e#, 1, memory_order_relaxed, memory_order_relaxed);")
            .objects(ATOMIC),
        (
            "atomic_compare_exchange_strong_explicit" | "atomic_compare_exchange_weak_explicit",
            _,
        ) => call("int e# = 2; @(&v#, &e#, 1, memory_order_relaxed, memory_order_relaxed);")
            .objects(ATOMIC),
        ("__atomic_compare_exchange_n", "succeeds") => {
            call("int e# = 0; @(&v#, &e#, 1, 0, 0, 0);").objects(INT)
        }
        ("__atomic_compare_exchange_n", _) => {
            call("int e# = 2; @(&v#, &e#, 1, 0, 0, 0);").objects(INT)
        }
        ("atomic_thread_fence" | "__atomic_thread_fence", _) => call("@(__ATOMIC_SEQ_CST);"),
        ("atomic_signal_fence" | "__atomic_signal_fence", _) => call("@(__ATOMIC_SEQ_CST);"),
        (name, _) if name.starts_with("atomic_fetch") && name.ends_with("_explicit") => {
            call("@(&v#, 1, memory_order_seq_cst);").objects(ATOMIC)
        }
        (name, _) if name.starts_with("atomic_fetch") => call("@(&v#, 1);").objects(ATOMIC),
        (name, _) if name.starts_with("__atomic_") => {
            call("@(&v#, 1, __ATOMIC_SEQ_CST);").objects(INT)
        }
        (name, _) if name.starts_with("__sync_") => call("@(&v#, 1);").objects(INT),
        _ => return None,
    })
}

/// The same for the kernel.
pub fn kernel_code(name: &str, path: &str) -> Option<Code> {
    const SPIN: &str = "static DEFINE_SPINLOCK(m#);";
    const RWLOCK: &str = "static DEFINE_RWLOCK(m#);";
    const MUTEX: &str = "static DEFINE_MUTEX(m#);";
    const DOMAIN: &str = "DEFINE_STATIC_SRCU(v#);";
    const WORK: &str = "static void f#(struct work_struct *w) { } static DECLARE_WORK(v#, f#);";
    const TIMER: &str = "static void f#(struct timer_list *t) { } static DEFINE_TIMER(v#, f#);";
    // Those for virtual machines and for devices are those of several processors.
    for prefix in ["virt_", "dma_"] {
        if let Some(rest) = name.strip_prefix(prefix) {
            return kernel_code(&format!("smp_{rest}"), path);
        }
    }
    let lock = match name.split('_').next() {
        Some("spin") => SPIN,
        Some("read" | "write") => RWLOCK,
        _ => MUTEX,
    };
    Some(match (name, path) {
        ("READ_ONCE", _) => call("(void)@(v#);").objects(INT),
        ("WRITE_ONCE" | "smp_store_mb" | "set_mb", _) => call("@(v#, 1);").objects(INT),
        ("smp_load_acquire", _) => call("(void)@(&v#);").objects(INT),
        ("smp_store_release" | "xchg", _) => call("@(&v#, 1);").objects(INT),
        ("rcu_dereference" | "rcu_dereference_raw" | "rcu_access_pointer", _) => {
            call("(void)@(v#);").objects("static int *v#;")
        }
        ("rcu_dereference_check" | "rcu_dereference_protected", _) => {
            call("(void)@(v#, 1);").objects("static int *v#;")
        }
        ("RCU_INIT_POINTER" | "rcu_assign_pointer", _) => {
            call("@(v#, &w#);").objects("static int *v#, w#;")
        }
        ("synchronize_rcu" | "rcu_barrier", _) => call("@();"),
        ("synchronize_srcu", _) => call("@(&v#);").objects(DOMAIN),
        ("srcu_read_lock", _) => call("(void)@(&v#);").objects(DOMAIN),
        ("srcu_read_unlock", _) => call("@(&v#, i#);")
            .before("int i# = srcu_read_lock(&v#);")
            .objects(DOMAIN),
        ("call_rcu", _) => call("@(&v#, f#);")
            .objects("static struct rcu_head v#; static void f#(struct rcu_head *head) { }"),
        ("queue_work", _) => call("@(system_wq, &v#);").objects(WORK),
        ("schedule_work", _) => call("@(&v#);").objects(WORK),
        ("mod_timer", "armed") => call("@(&v#, 1);").before("@(&v#, 1);").objects(TIMER),
        ("mod_timer", _) => call("@(&v#, 1);").objects(TIMER),
        ("timer_delete", "armed") => {
            // By thread 2, which has not begun.
            call("@(&v#);").objects("static struct timer_list v# = { .data = 5 };")
        }
        ("timer_delete" | "timer_delete_sync" | "try_to_del_timer_sync", _) => {
            call("@(&v#);").objects(TIMER)
        }
        ("tasklet_schedule", _) => call("@(&v#);").objects(
            "static void f#(struct tasklet_struct *t) { } static DECLARE_TASKLET(v#, f#);",
        ),
        ("smp_cond_load_acquire" | "smp_cond_load_relaxed", _) => {
            call("(void)@(&v#, VAL == 0);").objects(INT)
        }
        ("atomic_read", _) => call("(void)@(&v#);").objects(COUNTER),
        ("atomic_set" | "atomic_xchg", _) => call("@(&v#, 1);").objects(COUNTER),
        ("cmpxchg", "succeeds") => call("@(&v#, 0, 1);").objects(INT),
        ("cmpxchg", _) => call("@(&v#, 2, 1);").objects(INT),
        ("try_cmpxchg", "succeeds") => call("int e# = 0; @(&v#, &e#, 1);").objects(INT),
        ("try_cmpxchg", _) => call("int e# = 2; @(&v#, &e#, 1);").objects(INT),
        ("atomic_cmpxchg", "succeeds") => call("@(&v#, 0, 1);").objects(COUNTER),
        ("atomic_cmpxchg", _) => call("@(&v#, 2, 1);").objects(COUNTER),
        ("atomic_try_cmpxchg", "succeeds") => call("int e# = 0; @(&v#, &e#, 1);").objects(COUNTER),
        ("atomic_try_cmpxchg", _) => call("int e# = 2; @(&v#, &e#, 1);").objects(COUNTER),
        ("atomic_add_unless" | "atomic_fetch_add_unless", "adds") => {
            call("@(&v#, 1, 2);").objects(COUNTER)
        }
        ("atomic_add_unless" | "atomic_fetch_add_unless", _) => {
            call("@(&v#, 1, 0);").objects(COUNTER)
        }
        ("atomic_inc_not_zero", "adds") => {
            call("@(&v#);").objects("static atomic_t v# = ATOMIC_INIT(1);")
        }
        (
            "atomic_inc_not_zero"
            | "atomic_inc"
            | "atomic_dec"
            | "atomic_inc_return"
            | "atomic_dec_return"
            | "atomic_inc_and_test"
            | "atomic_dec_and_test"
            | "atomic_fetch_inc"
            | "atomic_fetch_dec",
            _,
        ) => call("@(&v#);").objects(COUNTER),
        ("mutex_lock_interruptible", _) => call("(void)@(&m#);").objects(MUTEX),
        (
            "spin_lock" | "read_lock" | "write_lock" | "mutex_lock" | "spin_trylock"
            | "read_trylock" | "write_trylock" | "mutex_trylock",
            "" | "free",
        ) => call("@(&m#);").objects(lock),
        ("spin_trylock", _) => call("@(&m#);").objects(SPIN).setup("spin_lock(&m#);"),
        ("spin_is_locked" | "raw_spin_is_locked", _) => call("(void)@(&m#);").objects(SPIN),
        ("rwlock_is_locked", _) => call("(void)@(&m#);").objects(RWLOCK),
        ("mutex_is_locked", _) => call("(void)@(&m#);").objects(MUTEX),
        ("read_trylock" | "write_trylock", _) => {
            call("@(&m#);").objects(RWLOCK).setup("write_lock(&m#);")
        }
        ("mutex_trylock", _) => call("@(&m#);").objects(MUTEX).setup("mutex_lock(&m#);"),
        ("spin_unlock", _) => call("@(&m#);").objects(SPIN).before("spin_lock(&m#);"),
        ("write_unlock", _) => call("@(&m#);").objects(RWLOCK).before("write_lock(&m#);"),
        ("read_unlock", _) => call("@(&m#);").objects(RWLOCK).before("read_lock(&m#);"),
        ("mutex_unlock", _) => call("@(&m#);").objects(MUTEX).before("mutex_lock(&m#);"),
        ("spin_lock_init", _) => call("@(&m#);").objects("static spinlock_t m#;"),
        ("rwlock_init", _) => call("@(&m#);").objects("static rwlock_t m#;"),
        ("mutex_init" | "mutex_destroy", _) => call("@(&m#);").objects(MUTEX),
        ("printk" | "pr_err" | "pr_warn" | "pr_info" | "pr_debug", _) => call("@(\"a\");"),
        ("udelay" | "mdelay" | "msleep", _) => call("@(1);"),
        (name, _) if name.ends_with("_bit") || name.contains("_bit_") => {
            call("(void)@(1, &v#);").objects("static unsigned long v#;")
        }
        (name, _) if name.starts_with("atomic_") => call("@(1, &v#);").objects(COUNTER),
        (name, _)
            if name.starts_with("smp_")
                || name.starts_with("rcu_")
                || name.ends_with("_depends")
                || [
                    "mb",
                    "rmb",
                    "wmb",
                    "barrier",
                    "cpu_relax",
                    "schedule",
                    "cond_resched",
                ]
                .contains(&name) =>
        {
            call("@();")
        }
        _ => return None,
    })
}

/// The same where another thread holds the mutex, if that is the path.
fn taken_if(path: &str, free: Code) -> Code {
    if path == "taken" {
        free.setup("pthread_mutex_lock(&m#);")
    } else {
        free
    }
}
