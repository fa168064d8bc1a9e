//: about An index of 0 leaves a null pointer as it is, any other one does not
//: check sc holds
//: check tso holds
//: check pso violated
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *writer(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return NULL;
}

static void *reader(void *unused)
{
    int second = atomic_load_explicit(&y, memory_order_relaxed);
    int first = atomic_load_explicit(&x, memory_order_relaxed);
    int *p = NULL;
    p = p + (second && !first);
    return p;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
