//: about Fences order plain accesses if the flag is atomic, whatever its order; compiler barriers do so in kernel code, where the machine does the rest
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <linux/compiler.h>

static int first, second, third;
static atomic_int flag;
static int kernel;
static volatile int seen;

static void *sender(void *unused)
{
    first = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    second = 1;
    smp_wmb();
    WRITE_ONCE(kernel, 1);
    third = 1;
    asm volatile("sfence" ::: "memory");
    seen = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
        ;
    atomic_thread_fence(memory_order_acquire);
    assert(first == 1);
    while (!READ_ONCE(kernel))
        ;
    smp_rmb();
    assert(second == 1);
    while (!seen)
        ;
    asm volatile("" ::: "memory");
    assert(third == 1);
    pthread_join(t, NULL);
    return 0;
}
