//: about A counter by lock cmpxchg with a flag as output
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static long counter;

static inline bool compare_and_swap(volatile long *p, long *expected, long desired)
{
    bool done;
    asm volatile("lock; cmpxchgq %[desired],%[p]"
                 : "=@ccz"(done), [p] "+m"(*p), "+a"(*expected)
                 : [desired] "r"(desired)
                 : "memory");
    return done;
}

static void *thread(void *unused)
{
    long seen = *(volatile long *)&counter;
    while (!compare_and_swap(&counter, &seen, seen + 1))
        ;
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
