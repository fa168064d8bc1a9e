//: about A sequence number in the upper bits of a word and flags in the lower ones: a worker and a canceller
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define RUNNING 1UL
#define CANCELLED 2UL
#define SEQUENCE (1UL << 32)

static uint64_t state = 7 * SEQUENCE;

static void *worker(void *unused)
{
    uint64_t before = __atomic_fetch_add(&state, SEQUENCE | RUNNING, __ATOMIC_ACQ_REL);
    assert(before / SEQUENCE == 7);
    if (!(before & CANCELLED))
        __atomic_fetch_and(&state, ~RUNNING, __ATOMIC_RELEASE);
    return 0;
}

static void *canceller(void *unused)
{
    uint64_t before = __atomic_fetch_or(&state, CANCELLED, __ATOMIC_ACQ_REL);
    if (before & RUNNING)
        assert(before >> 32 == 8);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, canceller, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(state >> 32 == 8);
    assert(state & CANCELLED);
    return 0;
}
