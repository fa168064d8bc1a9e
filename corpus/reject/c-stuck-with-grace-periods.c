//: error "whether a thread waits forever is not decided with grace periods of RCU"
// fencepost: forbid stuck
#include <linux/kthread.h>
#include <linux/rcupdate.h>

static int reader(void *unused)
{
    rcu_read_lock();
    rcu_read_unlock();
    return 0;
}

int main(void)
{
    kthread_run(reader, NULL, "reader");
    synchronize_rcu();
    return 0;
}
