//: about Functions of a library, executed by threads that nothing creates: a counter under a spinlock of its own
//: setup init
//: thread add:2
//: thread read
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <stdatomic.h>

struct counter {
    atomic_int locked;
    int value;
    int twice;
};

static void acquire(struct counter *c)
{
    while (atomic_exchange_explicit(&c->locked, 1, memory_order_acquire) != 0)
        ;
}

static void release(struct counter *c)
{
    atomic_store_explicit(&c->locked, 0, memory_order_release);
}

void init(struct counter *c)
{
    c->value = 7;
    c->twice = 14;
}

void add(struct counter *c, _Bool more)
{
    acquire(c);
    c->value += more ? 2 : 1;
    c->twice = 2 * c->value;
    release(c);
}

int read(struct counter *c)
{
    acquire(c);
    int value = c->value;
    assert(value >= 7 && value <= 11 && c->twice == 2 * value);
    release(c);
    return value;
}
