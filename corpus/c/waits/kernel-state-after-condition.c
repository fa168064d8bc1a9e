//: about A thread of Linux looks for work before it announces that it sleeps: a wake-up in between is lost
//: check sc violated
//: check tso violated
//: check pso violated
// fencepost: forbid stuck
#include <linux/kthread.h>
#include <linux/sched.h>

static int work, done;

static int work_loop(void *unused)
{
    while (!READ_ONCE(work)) {
        set_current_state(TASK_INTERRUPTIBLE);
        schedule();
    }
    WRITE_ONCE(done, 1);
    return 0;
}

int main(void)
{
    struct task_struct *worker = kthread_run(work_loop, NULL, "worker");
    WRITE_ONCE(work, 1);
    wake_up_process(worker);
    while (!READ_ONCE(done))
        cpu_relax();
    return 0;
}
