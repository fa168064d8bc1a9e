//: about The byte of a lock word is released by a relaxed store, so that what it protects may come later
//: check sc holds
//: check tso holds
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct qspinlock {
    union {
        uint32_t val;
        struct {
            uint8_t locked;
            uint8_t pending;
        };
        struct {
            uint16_t locked_pending;
            uint16_t tail;
        };
    };
};

static struct qspinlock lock;
static int count;

static void take(struct qspinlock *l)
{
    uint32_t free = 0;
    while (!__atomic_compare_exchange_n(&l->val, &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        free = 0;
}

static void release(struct qspinlock *l)
{
    __atomic_store_n(&l->locked, 0, __ATOMIC_RELAXED);
}

static void *run(void *unused)
{
    take(&lock);
    count++;
    release(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2 && lock.val == 0);
    return 0;
}
// race: `count` (line 41 in two threads)
