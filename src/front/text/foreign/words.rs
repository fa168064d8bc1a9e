//! The table of foreign words: what to write instead of each.

/// Words, and what to write instead of any of them.
pub(super) type Row = (&'static [&'static str], &'static str);

/// What to write instead of a statement or declaration that starts with this word.
pub(super) const WORDS: &[Row] = &[
    (
        &[
            "int",
            "bool",
            "char",
            "long",
            "short",
            "unsigned",
            "signed",
            "float",
            "double",
            "byte",
            "auto",
            "let",
            "var",
            "u8",
            "u16",
            "u32",
            "u64",
            "i8",
            "i16",
            "i32",
            "i64",
            "usize",
            "isize",
            "size_t",
            "uint8_t",
            "uint32_t",
            "uint64_t",
            "int32_t",
            "int64_t",
            "uintptr_t",
            "atomic_t",
            "_Bool",
            "_Atomic",
            "atomic_int",
            "atomic_uint",
            "atomic_bool",
            "global",
        ],
        "write `local r = 0;` in a thread, or `shared x = 0;` outside; all values are 32-bit integers",
    ),
    (&["fn", "def", "void", "func", "function", "fun"], FUNCTION),
    (
        &["struct", "union", "class"],
        "there are no structures; use several `shared` variables, or arrays with constant indices",
    ),
    (
        &["typedef", "using", "type"],
        "there are no types to name: all values are 32-bit integers",
    ),
    (&["enum"], "write `const A = 0, B = 1;`"),
    (&["define"], "write `const N = 3;`"),
    (
        &["switch", "case", "match"],
        "write `if (e == 1) { … } else if (e == 2) { … } else { … }`",
    ),
    (&["elif", "elseif", "elsif"], "write `else if (e) { … }`"),
    (
        &["then"],
        "nothing is written between the condition and the statement",
    ),
    (
        &["begin", "end", "fi", "endif", "od", "done"],
        "blocks are written in braces: `{ … }`",
    ),
    (
        &["until", "repeat"],
        "write `while (!(e)) { … }`, or `do { … } while (!(e));`",
    ),
    (&["forever"], "write `loop { … }`"),
    (
        &["spawn", "process", "proctype", "active", "par", "fork"],
        "write `thread t { … }` outside of other threads",
    ),
    (&["not"], "write `!`"),
    (&["and"], "write `&&`"),
    (
        &["include", "use", "import"],
        "there is no preprocessor, and nothing to include",
    ),
    (&["nop", "noop", "pass"], "write `skip;`"),
    (&["either", "alt"], "write `choose { … } or { … }`"),
    (
        &[
            "invariant",
            "property",
            "always",
            "never",
            "ltl",
            "safety",
            "specification",
        ],
        "write `forbid e;` for what must never hold",
    ),
    (
        &["forall"],
        "write `final assert e;` for what must hold at the end, or `forbid e;` for what must never hold",
    ),
    (
        &["init", "initial", "initially"],
        "a variable starts with the value in its declaration: `shared x = 1;`",
    ),
    (
        &["asm", "__asm__", "__asm"],
        "there are no instructions of processors; the full fence is `fence;`",
    ),
    (
        &["try", "catch", "throw", "unsafe", "async"],
        "there is no such statement; `assert(e);` states what must not go wrong",
    ),
    (
        &["await_while"],
        "write `while (e) { }`, or `await(e);` to wait until `e` holds",
    ),
];

/// What to write instead of a call of this name, or of the name alone.
pub(super) const CALLS: &[Row] = &[
    (
        &[
            "mfence",
            "MFENCE",
            "smp_mb",
            "mb",
            "dmb",
            "sync",
            "__sync_synchronize",
            "atomic_thread_fence",
            "_mm_mfence",
            "thread_fence",
            "__atomic_thread_fence",
            "memory_barrier",
            "MemoryBarrier",
            "full_fence",
        ],
        "the full fence is `fence;`",
    ),
    (
        &["sfence", "smp_wmb", "wmb", "_mm_sfence"],
        "the fence between stores is `fence store;`",
    ),
    (
        &[
            "lfence",
            "smp_rmb",
            "rmb",
            "_mm_lfence",
            "compiler_fence",
            "atomic_signal_fence",
        ],
        "loads stay in order here, so this fence is left out; the full fence is `fence;`",
    ),
    (
        &[
            "lock",
            "acquire",
            "mutex_lock",
            "spin_lock",
            "raw_spin_lock",
            "synchronized",
            "pthread_mutex_lock",
        ],
        "declare `proc lock(m) { while (xchg(*m, 1)) { } }` and write `lock(&m);`",
    ),
    (
        &[
            "unlock",
            "release",
            "mutex_unlock",
            "spin_unlock",
            "pthread_mutex_unlock",
        ],
        "declare `proc unlock(m) { *m = 0; }` and write `unlock(&m);`",
    ),
    (
        &[
            "compare_exchange",
            "compare_exchange_weak",
            "compare_exchange_strong",
            "cmpxchg",
            "try_cmpxchg",
            "atomic_cmpxchg",
            "compare_and_swap",
            "atomic_compare_exchange_strong",
            "atomic_compare_exchange_weak",
            "CAS",
            "__sync_val_compare_and_swap",
            "__sync_bool_compare_and_swap",
        ],
        "write `cas(x, old, new)`, which gives the value before: `cas(x, 0, 1) == 0` is success",
    ),
    (
        &[
            "swap",
            "exchange",
            "atomic_exchange",
            "lock_xchg",
            "test_and_set",
            "XCHG",
            "atomic_xchg",
            "atomic_flag_test_and_set",
            "smp_store_mb",
            "__sync_lock_test_and_set",
        ],
        "write `xchg(x, v)`, which gives the value before",
    ),
    (
        &[
            "faa",
            "FAA",
            "fetch_and_add",
            "atomic_fetch_add",
            "atomic_add_return",
            "__sync_fetch_and_add",
            "xadd",
            "fetch_add_relaxed",
        ],
        "write `fetch_add(x, v)`, which gives the value before",
    ),
    (
        &[
            "load",
            "atomic_load",
            "READ_ONCE",
            "smp_load_acquire",
            "atomic_load_explicit",
            "atomic_read",
            "__atomic_load_n",
            "rcu_dereference",
        ],
        "every mention of a shared variable is a load: write `r = x;`",
    ),
    (
        &[
            "store",
            "atomic_store",
            "WRITE_ONCE",
            "smp_store_release",
            "atomic_store_explicit",
            "atomic_set",
            "__atomic_store_n",
            "rcu_assign_pointer",
            "atomic_flag_clear",
        ],
        "an assignment to a shared variable is a store: write `x = 1;`",
    ),
    (
        &["printf", "print", "println", "puts"],
        "nothing is printed; `assert(e, \"text\");` reports",
    ),
    (
        &["__VERIFIER_assume", "require", "requires", "when", "Assume"],
        "write `assume(e);`, or `await(e);` to wait until `e` holds",
    ),
    (
        &["wait", "wait_until", "wait_for", "block_until"],
        "write `await(e);`",
    ),
    (
        &[
            "__VERIFIER_assert",
            "Assert",
            "ensure",
            "ensures",
            "assert_eq",
            "debug_assert",
            "static_assert",
            "BUG_ON",
            "WARN_ON",
        ],
        "write `assert(e);` in a thread, or `forbid !(e);` outside",
    ),
    (
        &["random", "rand", "__VERIFIER_nondet_int", "choose_int"],
        NONDET,
    ),
    (
        &[
            "sleep",
            "usleep",
            "msleep",
            "udelay",
            "delay",
            "pause",
            "_mm_pause",
            "cpu_relax",
            "spin_loop",
            "yield",
            "yield_now",
            "sched_yield",
            "thrd_yield",
        ],
        "other threads may act between any two steps: leave this out, or write `skip;`",
    ),
    (
        &["exit", "abort", "panic", "pthread_exit"],
        "write `return;` to end the thread, or `assert(false);` for what must not be reached",
    ),
    (
        &["pthread_create", "thrd_create", "kthread_run"],
        "write `thread t { … }` for each thread; all of them run from the start",
    ),
    (
        &["pthread_join", "thrd_join", "join"],
        "`final assert e;` states what holds when all threads have ended",
    ),
];

/// What to write instead of a function.
pub(super) const FUNCTION: &str =
    "write `proc f(a) { … }` for a procedure, or `thread t { … }` for a thread";

const NONDET: &str = "write `nondet(0, 3)`, or `nondet()`";

/// Words before a declaration that say nothing here.
pub(super) const QUALIFIERS: [&str; 7] = [
    "static", "inline", "extern", "pub", "volatile", "register", "mut",
];

/// What to write instead of this name as a value.
pub(super) const VALUES: &[Row] = &[
    (
        &["null", "NULL", "nil", "nullptr", "None"],
        "write `0`, which is no address",
    ),
    (&["nondet"], NONDET),
    (&["TRUE", "True"], "write `true`"),
    (&["FALSE", "False"], "write `false`"),
    (
        &[
            "SeqCst",
            "seq_cst",
            "Acquire",
            "Release",
            "AcqRel",
            "Relaxed",
            "memory_order_seq_cst",
            "memory_order_acquire",
            "memory_order_release",
            "memory_order_acq_rel",
            "memory_order_relaxed",
            "__ATOMIC_SEQ_CST",
        ],
        "there are no memory orders: loads and stores are plain, and the full fence is `fence;`",
    ),
];
