//: about Half of a lock word is stored to and all of it loaded: the store of the byte is not yet in memory when the word is looked at
//: check sc holds
//: check tso violated
//: robust tso no
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

union word {
    uint32_t all;
    uint8_t byte[4];
};

static union word lock;
static int inside[2];

static void *first(void *unused)
{
    __atomic_store_n(&lock.byte[0], 1, __ATOMIC_RELAXED);
    inside[0] = (__atomic_load_n(&lock.all, __ATOMIC_RELAXED) & ~0xffu) == 0;
    return 0;
}

static void *second(void *unused)
{
    __atomic_store_n(&lock.byte[1], 1, __ATOMIC_RELAXED);
    inside[1] = (__atomic_load_n(&lock.all, __ATOMIC_RELAXED) & ~0xff00u) == 0;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!inside[0] || !inside[1]);
    return 0;
}
