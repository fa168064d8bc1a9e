//: about A counter by inc without lock loses an increment: it is a load and a store
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static int counter;

static void *thread(void *unused)
{
    asm volatile("incl %0" : "+m"(counter) : : "memory", "cc");
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
