//: about Numbers that 32 bits do not represent, in objects whose type has 64
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static volatile uint64_t a = (uint64_t)1 << 40;
static volatile int64_t b;

static void *thread(void *unused)
{
    assert(a == 0x10000000000);
    a = -((uint64_t)1 << 40);
    b = -((int64_t)1 << 40);
    assert(a == 18446742974197923840UL && b == -1099511627776L && b < 0);
    a = UINT64_MAX;
    b = INT32_MIN;
    assert(a == -1UL && a + 1 == 0 && b == -0x80000000L);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
