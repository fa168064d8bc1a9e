//: about Two functions of a library that look at each other's flag: a wake-up is lost under TSO
//: thread sleeper
//: thread waker
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

struct event {
    atomic_bool waiting, raised;
    atomic_bool sleeps, woken;
};

/* It goes to sleep if the event is not raised, and has said so before. */
void sleeper(struct event *e)
{
    atomic_store_explicit(&e->waiting, true, memory_order_relaxed);
    bool raised = atomic_load_explicit(&e->raised, memory_order_relaxed);
    if (!raised)
        atomic_store(&e->sleeps, true);
    assert(raised || !atomic_load(&e->woken));
}

/* It wakes who waits, and must not leave one asleep. */
void waker(struct event *e)
{
    atomic_store_explicit(&e->raised, true, memory_order_relaxed);
    if (!atomic_load_explicit(&e->waiting, memory_order_relaxed))
        atomic_store(&e->woken, true);
}
