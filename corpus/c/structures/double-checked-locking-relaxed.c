//: about Double-checked locking, published by a relaxed store: PSO shows the pointer before the contents
//: check sc holds
//: check tso holds
//: check pso violated
//: robust tso yes
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct config {
    int value;
};

static struct config storage;
static _Atomic(struct config *) instance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct config *get(void)
{
    struct config *found = atomic_load_explicit(&instance, memory_order_acquire);
    if (found == NULL) {
        pthread_mutex_lock(&mutex);
        found = atomic_load_explicit(&instance, memory_order_relaxed);
        if (found == NULL) {
            found = &storage;
            found->value = 42;
            atomic_store_explicit(&instance, found, memory_order_relaxed);
        }
        pthread_mutex_unlock(&mutex);
    }
    return found;
}

static void *user(void *unused)
{
    assert(get()->value == 42);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; ++i)
        pthread_create(&t[i], NULL, &user, NULL);
    for (int i = 0; i < 2; ++i)
        pthread_join(t[i], NULL);
    pthread_mutex_destroy(&mutex);
    return 0;
}

// race: `storage.value` (lines 27 and 37)
