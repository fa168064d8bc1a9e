//: about Reference count: one thread sees the last reference go
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static int references = 2, counter = 1;

static inline bool dec_and_test(int *p)
{
    unsigned char zero;
    asm volatile("lock; decl %0; sete %1" : "+m"(*p), "=qm"(zero) : : "memory");
    return zero != 0;
}

static void *thread(void *unused)
{
    if (dec_and_test(&references))
        counter++;
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
