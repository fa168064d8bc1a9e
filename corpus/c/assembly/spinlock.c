//: about A spinlock by xchg, released by a store; under PSO that overtakes the counter
//: check sc holds
//: check tso holds
//: check pso violated
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

typedef struct { volatile unsigned locked; } lock_t;

static lock_t lock;
static int counter;

static inline void acquire(lock_t *l)
{
    unsigned taken;
    do {
        asm volatile("xchgl %0,%1" : "=r"(taken), "+m"(l->locked) : "0"(1) : "memory");
        if (taken)
            asm volatile("rep; nop" : : : "memory");
    } while (taken);
}

static inline void release(lock_t *l)
{
    asm volatile("movl $0,%0" : "=m"(l->locked) : : "memory");
}

static void *thread(void *unused)
{
    acquire(&lock);
    counter++;
    release(&lock);
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
