//: about A hash of 32 bits is scaled to a bucket by a product of 64, as is an interval to nanoseconds
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int buckets[5];
static uint32_t key = 7;
static uint64_t deadline;

static uint32_t hashed(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    return x;
}

static void *insert(void *unused)
{
    uint32_t hash = hashed(key);
    unsigned index = (uint64_t)hash * 5 >> 32;
    buckets[index] = 1;
    deadline = (uint64_t)hash + 3 * UINT64_C(1000000000);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, insert, 0);
    key = 12;
    pthread_create(&b, 0, insert, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(deadline > UINT32_MAX);
    /* Both threads may have read the second key. */
    assert(buckets[0] + buckets[1] + buckets[2] + buckets[3] + buckets[4] == 2);
    return 0;
}
