//: about A test of work_pending in place of queueing orders nothing: the work may miss what was written
//: check sc holds
//: check tso violated
//: check pso violated
#include <linux/bug.h>
#include <linux/workqueue.h>

static int wanted, seen;

static void look(struct work_struct *unused)
{
    WRITE_ONCE(seen, READ_ONCE(wanted));
}

static DECLARE_WORK(work, look);

int main(void)
{
    bool was_pending;
    schedule_work(&work);
    WRITE_ONCE(wanted, 1);
    was_pending = work_pending(&work);
    flush_work(&work);
    BUG_ON(was_pending && !READ_ONCE(seen));
    return 0;
}
