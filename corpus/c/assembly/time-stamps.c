//: about rdtsc may be any number: two time stamps need not differ
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>

static unsigned stamps[2];

static void *thread(void *at)
{
    unsigned low, high;
    asm volatile("rdtsc" : "=a"(low), "=d"(high));
    *(unsigned *)at = low;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, thread, &stamps[0]);
    pthread_create(&b, 0, thread, &stamps[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(stamps[0] != stamps[1]);
    return 0;
}
