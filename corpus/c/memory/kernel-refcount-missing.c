//: about A thread without a reference of its own uses an object that has been freed
//: check sc violated
//: check tso violated
//: check pso violated
#include <linux/refcount.h>
#include <linux/slab.h>
#include <pthread.h>

struct object {
    refcount_t references;
    int value;
};

static void put(struct object *object)
{
    if (refcount_dec_and_test(&object->references))
        kfree(object);
}

static void *user(void *arg)
{
    struct object *object = arg;
    BUG_ON(object->value != 7);
    put(object);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct object *object = kmalloc(sizeof *object, GFP_KERNEL);
    refcount_set(&object->references, 1);
    object->value = 7;
    // No reference for the thread.
    pthread_create(&t, NULL, user, object);
    BUG_ON(object->value != 7);
    put(object);
    pthread_join(t, NULL);
    return 0;
}
