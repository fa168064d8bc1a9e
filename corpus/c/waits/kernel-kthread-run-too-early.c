//: about A thread that runs at once may find what is stored only after it was created
//: check sc violated
//: check tso violated
//: check pso violated
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
    state.task = kthread_run(poller, &state, "poller/%d", 0);
    if (IS_ERR(state.task))
        return PTR_ERR(state.task);
    state.ready = 1;
    wake_up_process(state.task);
    wait_for_completion(&done);
    return 0;
}

// race: `state.task` (lines 17 and 25)
// race: `state.ready` (lines 18 and 28)
