//: about References are counted, and the last one frees
//: check sc holds
//: check tso holds
//: check pso holds
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
    refcount_inc(&object->references);
    pthread_create(&t, NULL, user, object);
    BUG_ON(object->value != 7);
    put(object);
    pthread_join(t, NULL);
    return 0;
}
