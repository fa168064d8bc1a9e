//: about A lock is released after the memory that it is in has been freed
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    pthread_spinlock_t lock;
};

static struct object *object;
static atomic_int now, done;

static void *thread(void *unused)
{
    pthread_spin_lock(&object->lock);
    atomic_store(&done, 1);
    pthread_spin_unlock(&object->lock);
    return NULL;
}

int main(void)
{
    pthread_t a;
    object = malloc(sizeof *object);
    pthread_spin_init(&object->lock, 0);
    pthread_create(&a, NULL, thread, NULL);
    while (!atomic_load(&done))
        ;
    free(object);
    pthread_join(a, NULL);
    return 0;
}
