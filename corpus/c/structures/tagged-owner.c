//: about A lock word with its owner and a flag in one: the lowest bit says that somebody waits, as in Linux' mutexes
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define WAITERS 1

struct task { long id; } tasks[2];
static atomic_uintptr_t owner;
static int shared;

static void lock(struct task *me)
{
    uintptr_t none = 0;

    while (!atomic_compare_exchange_strong(&owner, &none, (uintptr_t)me)) {
        struct task *other = (struct task *)(none & ~(uintptr_t)WAITERS);

        assert(other != me);
        if (other)
            atomic_compare_exchange_strong(&owner, &none, none | WAITERS);
        while (atomic_load(&owner))
            ;
        none = 0;
    }
}

static void unlock(struct task *me)
{
    uintptr_t old = atomic_load(&owner);

    assert((old & ~(uintptr_t)WAITERS) == (uintptr_t)me);
    atomic_store(&owner, 0);
}

static void *run(void *task)
{
    lock(task);
    shared++;
    unlock(task);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, run, &tasks[0]);
    pthread_create(&b, NULL, run, &tasks[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared == 2);
    return 0;
}
