//: error "the value 1099511627776 does not fit into 32 bits"
//: error "the value 18446742974197923840 does not fit into 32 bits"
//: error "the value -1099511627776 does not fit into 32 bits"
#include <pthread.h>
#include <stdint.h>

static volatile uint64_t a = (uint64_t)1 << 40;
static volatile int64_t b;

static void *thread(void *unused)
{
    a = -((uint64_t)1 << 40);
    b = -((int64_t)1 << 40);
    a = UINT64_MAX;
    b = INT32_MIN;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
