//: about Any number of readers, and a writer that starts to publish when all of them may run
//: check sc holds
//: check tso holds
//: check pso violated  the two stores may change places
//: robust tso yes

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, ready;

static void *reader(void *unused)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    return NULL;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        pthread_t t;
        pthread_create(&t, NULL, reader, NULL);
    }
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return 0;
}
