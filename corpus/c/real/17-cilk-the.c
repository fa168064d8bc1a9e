//: about Cilk-5 THE: owner and thief announce that they take the last item, miss each other, and both get it
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int H = 0, T = 1;         /* one item */
static atomic_flag lock = ATOMIC_FLAG_INIT;

static void *pop(void *unused)
{
    atomic_store_explicit(&T, 0, memory_order_relaxed);
    return atomic_load_explicit(&H, memory_order_relaxed) <= 0 ? &T : NULL;
}

static void *steal(void *unused)
{
    void *got = NULL;
    while (atomic_flag_test_and_set(&lock))
        ;
    atomic_store_explicit(&H, 1, memory_order_relaxed);
    if (1 <= atomic_load_explicit(&T, memory_order_relaxed))
        got = &T;
    else
        atomic_store_explicit(&H, 0, memory_order_relaxed);
    atomic_flag_clear_explicit(&lock, memory_order_release);
    return got;
}

int main(void)
{
    pthread_t a, b;
    void *popped, *stolen;
    pthread_create(&a, NULL, pop, NULL);
    pthread_create(&b, NULL, steal, NULL);
    pthread_join(a, &popped);
    pthread_join(b, &stolen);
    assert(!popped || !stolen);
    return 0;
}
