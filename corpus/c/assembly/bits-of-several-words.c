//: about lock bts on a map of two words: each bit is set by one thread
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static unsigned long map[2];
static int counter;

/* The bit may be in a later word: bts with memory counts from the operand on. */
static inline bool test_and_set(long number, volatile unsigned long *from)
{
    bool was;
    asm volatile("lock; btsq %2,%1" : "=@ccc"(was), "+m"(*from) : "Ir"(number) : "memory");
    return was;
}

static void *thread(void *unused)
{
    static long numbers[2] = { 3, 66 };
    for (int i = 0; i < 2; i++)
        if (!test_and_set(numbers[i], map))
            asm volatile("lock; incl %0" : "+m"(counter));
    assert(map[1] == 4);
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

// race: `map` (lines 17 and 27)
