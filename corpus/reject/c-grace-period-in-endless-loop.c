//: error "a grace period of RCU is in a loop whose number of iterations is not known"
#include <linux/kthread.h>
#include <linux/rcupdate.h>

static int update(void *unused)
{
    while (!kthread_should_stop())
        synchronize_rcu();
    return 0;
}

int main(void)
{
    struct task_struct *task = kthread_run(update, NULL, "update");
    kthread_stop(task);
    return 0;
}
