//: about A tasklet sees what was written before it was scheduled, and has run when it was killed
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/interrupt.h>
static int ready, seen;
static void run(struct tasklet_struct *t)
{
    BUG_ON(!ready);
    seen = 1;
}
static DECLARE_TASKLET(task, run);
int main(void)
{
    ready = 1;
    tasklet_schedule(&task);
    tasklet_kill(&task);
    BUG_ON(!seen);
    return 0;
}
