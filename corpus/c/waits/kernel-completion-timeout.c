//: about After a time is over the request is freed, though the other side may still complete it
//: check sc violated
//: check tso violated
//: check pso violated
#include <linux/completion.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/slab.h>

struct request { int reply; struct completion done; };

static int firmware(void *data)
{
    struct request *request = data;
    request->reply = 42;
    complete(&request->done);
    return 0;
}

int main(void)
{
    struct request *request = kzalloc(sizeof(*request), GFP_KERNEL);
    if (!request)
        return -ENOMEM;
    init_completion(&request->done);
    kthread_run(firmware, request, "firmware");
    if (!wait_for_completion_timeout(&request->done, msecs_to_jiffies(100)))
        pr_warn("no answer\n");
    kfree(request);
    return 0;
}
