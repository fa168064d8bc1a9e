//: about lock cmpxchg and sete: one of two threads succeeds
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static int counter, wins;

/* As in data-plane libraries: the result is in the register of the expected value. */
static inline int cmpset(volatile unsigned *dst, unsigned exp, unsigned src)
{
    unsigned char res;
    asm volatile("lock ; cmpxchgl %[src], %[dst];"
                 "sete %[res];"
                 : [res] "=a"(res), [dst] "=m"(*dst)
                 : [src] "r"(src), "a"(exp), "m"(*dst)
                 : "memory");
    return res;
}

static unsigned flag;

static void *thread(void *unused)
{
    if (cmpset(&flag, 0, 1)) {
        wins++;
        assert(wins == 1);
    }
    asm volatile("lock; incl (%0)" : : "r"(&counter) : "memory");
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
