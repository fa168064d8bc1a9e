//: about A ring that is allocated for one slot less than its users believe: the second writer leaves the block
//: check sc violated
//: check tso violated
//: check pso violated
#include <linux/atomic.h>
#include <linux/kthread.h>
#include <linux/slab.h>

#define SLOTS 2

struct ring {
    atomic_t next;
    u64 slots[0];
};

static struct ring *ring;

static int writer(void *unused)
{
    int at = atomic_inc_return(&ring->next) - 1;

    WRITE_ONCE(ring->slots[at], at);
    return 0;
}

int main(void)
{
    ring = kzalloc(struct_size(ring, slots, SLOTS - 1), GFP_KERNEL);
    kthread_run(writer, NULL, "first");
    kthread_run(writer, NULL, "second");
    return 0;
}
