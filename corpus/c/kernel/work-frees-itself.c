//: about Work frees the request that it is part of, after its function was called
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/workqueue.h>
#include <linux/slab.h>
struct request { int value; struct work_struct work; };
static int done;
static void handle(struct work_struct *work)
{
    struct request *request = container_of(work, struct request, work);
    BUG_ON(request->value != 7);
    kfree(request);
    WRITE_ONCE(done, 1);
}
int main(void)
{
    struct request *request = kzalloc(sizeof(*request), GFP_KERNEL);
    INIT_WORK(&request->work, handle);
    request->value = 7;
    BUG_ON(!schedule_work(&request->work));
    flush_scheduled_work();
    BUG_ON(!READ_ONCE(done));
    return 0;
}
