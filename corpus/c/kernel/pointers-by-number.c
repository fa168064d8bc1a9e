//: about Objects are found by their numbers under a lock; who removes one frees it
//: check sc holds
//: check tso holds
#include <linux/bug.h>
#include <linux/idr.h>
#include <linux/kstrtox.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct session {
    int number;
};

static DEFINE_IDR(sessions);
static DEFINE_MUTEX(lock);

static int opener(void *unused)
{
    struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);
    int number;

    if (!session)
        return -ENOMEM;
    mutex_lock(&lock);
    number = idr_alloc(&sessions, session, 1, 0, GFP_KERNEL);
    session->number = number;
    mutex_unlock(&lock);
    return number < 0 ? number : 0;
}

static int closer(void *text)
{
    struct session *session;
    int number;

    if (kstrtoint(text, 10, &number) || number < 0)
        return -EINVAL;
    mutex_lock(&lock);
    session = idr_find(&sessions, number);
    if (session) {
        WARN_ON(session->number != number);
        idr_remove(&sessions, number);
    }
    mutex_unlock(&lock);
    kfree(session);
    return 0;
}

static int __init begin(void)
{
    kthread_run(opener, NULL, "opener");
    kthread_run(closer, "1", "one");
    kthread_run(closer, "1", "two");
    return 0;
}
module_init(begin);
MODULE_LICENSE("GPL");
