//: about Who is there: a set of 64 bits, each set by its thread before it looks who was there first
//: check tso holds
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint64_t present;
static atomic_int alone;

static void *enter(void *number)
{
    unsigned bit = (unsigned)(uintptr_t)number;
    uint64_t before = atomic_fetch_or(&present, UINT64_C(1) << bit);
    if (!before)
        atomic_fetch_add(&alone, 1);
    assert(before != UINT64_C(1) << bit);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, enter, (void *)(uintptr_t)3);
    pthread_create(&b, 0, enter, (void *)(uintptr_t)45);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(alone == 1 && present == 0x200000000008);
    return 0;
}
