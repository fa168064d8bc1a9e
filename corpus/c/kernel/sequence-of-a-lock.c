//: about Readers of a sequence counter that belongs to a lock see two values of one writer
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/seqlock.h>

static DEFINE_SPINLOCK(lock);
static seqcount_spinlock_t sequence = SEQCNT_SPINLOCK_ZERO(sequence, &lock);
static int low, high;

static int writes(void *unused)
{
    spin_lock(&lock);
    write_seqcount_begin(&sequence);
    WRITE_ONCE(low, 1);
    WRITE_ONCE(high, 1);
    write_seqcount_end(&sequence);
    spin_unlock(&lock);
    return 0;
}

static int __init start(void)
{
    unsigned int seen;
    int a, b;
    kthread_run(writes, NULL, "writes");
    do {
        seen = read_seqcount_begin(&sequence);
        a = READ_ONCE(low);
        b = READ_ONCE(high);
    } while (read_seqcount_retry(&sequence, seen));
    BUG_ON(a != b);
    return 0;
}
module_init(start);
