//: about A thread polls until a time: it ends, with the flag or without
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>

static int data, ready;

static int producer(void *unused)
{
    data = 1;
    smp_store_release(&ready, 1);
    return 0;
}

int main(void)
{
    unsigned long deadline = jiffies + msecs_to_jiffies(100);
    kthread_run(producer, NULL, "producer");
    while (!smp_load_acquire(&ready)) {
        if (time_after(jiffies, deadline))
            return 1;
        cpu_relax();
    }
    BUG_ON(data != 1);
    return 0;
}
