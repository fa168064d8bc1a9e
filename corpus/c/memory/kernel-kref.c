//: about An object that is looked up under a lock, unless its last reference is gone
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/kref.h>
#include <linux/kthread.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct session { struct kref references; int id; };
static struct session *current_session;
static DEFINE_SPINLOCK(lock);

static void release(struct kref *references)
{
    struct session *session = container_of(references, struct session, references);
    spin_lock(&lock);
    current_session = NULL;
    spin_unlock(&lock);
    kfree(session);
}

static int user(void *unused)
{
    struct session *session;
    spin_lock(&lock);
    session = current_session;
    if (session && !kref_get_unless_zero(&session->references))
        session = NULL;
    spin_unlock(&lock);
    if (session) {
        BUG_ON(session->id != 5);
        kref_put(&session->references, release);
    }
    return 0;
}

int main(void)
{
    struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);
    session->id = 5;
    kref_init(&session->references);
    current_session = session;
    kthread_run(user, NULL, "user");
    kref_put(&session->references, release);
    return 0;
}
