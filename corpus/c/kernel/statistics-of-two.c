//: about Two threads that add to statistics without a lock lose some; the reader needs none
//: check sc violated
//: check tso violated
// fencepost: thread adds:2
#include <linux/bug.h>
#include <linux/atomic.h>
#include <linux/u64_stats_sync.h>

static struct u64_stats_sync sync;
static u64_stats_t packets;
static atomic_t ended;

void adds(void)
{
    u64_stats_update_begin(&sync);
    u64_stats_inc(&packets);
    u64_stats_update_end(&sync);
    if (atomic_inc_return(&ended) == 2)
        BUG_ON(u64_stats_read(&packets) != 2);
}
