//: about An assignment is the first access of an atomic member: it reads nothing
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int value;
};

static atomic_int now;

static void *thread(void *unused)
{
    struct object *object = malloc(sizeof *object);
    object->value = 1;
    int value = atomic_load(&object->value);
    assert(value == 1);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    atomic_store(&now, 1);
    pthread_join(a, NULL);
    return 0;
}
