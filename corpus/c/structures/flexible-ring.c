//: about A ring with a slot for each of its writers, allocated with struct_size
//: check sc holds
//: check tso holds
//: check pso holds
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
    ring = kzalloc(struct_size(ring, slots, SLOTS), GFP_KERNEL);
    kthread_run(writer, NULL, "first");
    kthread_run(writer, NULL, "second");
    return 0;
}
