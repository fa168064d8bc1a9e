//: about A thread of Linux announces that it sleeps, by a full barrier, and then looks for work; the other one adds work and wakes it
//: check sc holds
//: check tso holds
//: check pso holds
// fencepost: forbid stuck
#include <linux/kthread.h>
#include <linux/sched.h>

static struct task_struct *worker;
static int work, done;

static int work_loop(void *unused)
{
    for (;;) {
        set_current_state(TASK_INTERRUPTIBLE);
        if (READ_ONCE(work))
            break;
        schedule();
    }
    __set_current_state(TASK_RUNNING);
    WRITE_ONCE(done, 1);
    return 0;
}

int main(void)
{
    worker = kthread_run(work_loop, NULL, "worker");
    WRITE_ONCE(work, 1);
    wake_up_process(worker);
    while (!READ_ONCE(done))
        cpu_relax();
    return 0;
}
