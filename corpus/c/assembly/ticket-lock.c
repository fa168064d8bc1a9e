//: about A ticket lock by lock xadd
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static unsigned next, serving;
static int counter;

static inline unsigned fetch_and_add(unsigned *p, unsigned n)
{
    __asm__ __volatile__("lock; xaddl %0,%1" : "+r"(n), "+m"(*p) : : "memory", "cc");
    return n;
}

static void *thread(void *unused)
{
    unsigned mine = fetch_and_add(&next, 1);
    while (*(volatile unsigned *)&serving != mine)
        __asm__ __volatile__("pause" : : : "memory");
    counter++;
    fetch_and_add(&serving, 1);
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

// race: `counter` (line 24 in two threads)
