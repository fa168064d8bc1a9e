//: about io_uring SQPOLL: the kernel thread falls asleep over a new entry, or (PSO) reads a torn one
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <pthread.h>

struct ring {
    int sqe[2];
    unsigned tail;
    unsigned flags;
};

#define NEED_WAKEUP 1u

static struct ring ring;
static int entered, asleep;

static void *app(void *unused)
{
    struct ring *r = &ring;
    unsigned tail = r->tail;
    WRITE_ONCE(r->sqe[tail], 42);
    WRITE_ONCE(r->tail, tail + 1);
    if (READ_ONCE(r->flags) & NEED_WAKEUP)
        entered = 1;
    return NULL;
}

static void *kernel(void *unused)
{
    WRITE_ONCE(ring.flags, NEED_WAKEUP);
    if (READ_ONCE(ring.tail) == 0)
        asleep = 1;
    else
        assert(READ_ONCE(ring.sqe[0]) == 42);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, app, NULL);
    pthread_create(&b, NULL, kernel, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!asleep || entered);
    return 0;
}
