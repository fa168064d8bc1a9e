//: about The last reference goes under the lock that others find the object by
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/refcount.h>
#include <linux/slab.h>

struct entry { refcount_t uses; int value; };
static struct entry *table;
static DEFINE_MUTEX(lock);

static void put(struct entry *entry)
{
    if (refcount_dec_and_mutex_lock(&entry->uses, &lock)) {
        table = NULL;
        mutex_unlock(&lock);
        kfree(entry);
    }
}

static int user(void *unused)
{
    struct entry *entry;
    mutex_lock(&lock);
    entry = table;
    if (entry)
        refcount_inc(&entry->uses);
    mutex_unlock(&lock);
    if (entry) {
        BUG_ON(entry->value != 3);
        put(entry);
    }
    return 0;
}

int main(void)
{
    struct entry *entry = kmalloc(sizeof(*entry), GFP_KERNEL);
    refcount_set(&entry->uses, 1);
    entry->value = 3;
    table = entry;
    kthread_run(user, NULL, "user");
    put(entry);
    return 0;
}
