//: about A thread of user space that sleeps without a loop around it is woken by a signal, too
//: check sc violated
//: check tso violated
// fencepost: thread sleeps
// fencepost: thread wakes
#include <linux/bug.h>
#include <linux/sched.h>

static struct task_struct *sleeper;
static int go;

void sleeps(void)
{
    set_current_state(TASK_INTERRUPTIBLE);
    WRITE_ONCE(sleeper, current);
    if (!READ_ONCE(go))
        schedule();
    __set_current_state(TASK_RUNNING);
    BUG_ON(!READ_ONCE(go));
}

void wakes(void)
{
    WRITE_ONCE(go, 1);
    smp_mb();
    struct task_struct *task = READ_ONCE(sleeper);
    if (task)
        wake_up_process(task);
}
