//: about A thread that was created waits for its first wake-up: what is stored before is there
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>

struct device_state { struct task_struct *task; int ready; };
static struct device_state state;
static DECLARE_COMPLETION(done);

static int poller(void *data)
{
    struct device_state *s = data;
    BUG_ON(s->task != current);
    BUG_ON(!s->ready);
    complete(&done);
    return 0;
}

int main(void)
{
    state.task = kthread_create(poller, &state, "poller/%d", 0);
    if (IS_ERR(state.task))
        return PTR_ERR(state.task);
    state.ready = 1;
    BUG_ON(!wake_up_process(state.task));
    wait_for_completion(&done);
    return 0;
}
