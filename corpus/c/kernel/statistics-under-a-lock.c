//: about Two threads that add to statistics under a lock lose none
//: check sc holds
//: check tso holds
// fencepost: thread adds:2
#include <linux/bug.h>
#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <linux/u64_stats_sync.h>

static struct u64_stats_sync sync;
static u64_stats_t packets;
static atomic_t ended;
static DEFINE_SPINLOCK(lock);

void adds(void)
{
    spin_lock(&lock);
    u64_stats_update_begin(&sync);
    u64_stats_inc(&packets);
    u64_stats_update_end(&sync);
    spin_unlock(&lock);
    if (atomic_inc_return(&ended) == 2)
        BUG_ON(u64_stats_read(&packets) != 2);
}
