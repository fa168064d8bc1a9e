//: about A counter by lock inc loses nothing
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static int counter;

static void *thread(void *unused)
{
    asm volatile("lock; incl %0" : "+m"(counter) : : "memory", "cc");
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
