//: about A counter with a part for each processor has the exact value where all parts are added up
//: check sc holds
//: check tso holds
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu_counter.h>

static struct percpu_counter counter;

static int counts(void *unused)
{
    percpu_counter_add(&counter, 2);
    percpu_counter_dec(&counter);
    return 0;
}

static int __init start(void)
{
    percpu_counter_init(&counter, 5, GFP_KERNEL);
    struct task_struct *task = kthread_run(counts, NULL, "counts");
    percpu_counter_inc(&counter);
    BUG_ON(percpu_counter_sum(&counter) < 6 || percpu_counter_sum(&counter) > 8);
    kthread_stop(task);
    s64 sum = percpu_counter_sum(&counter);
    BUG_ON(sum != 6 && sum != 7);
    return 0;
}
module_init(start);
