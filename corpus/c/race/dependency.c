//: about A load through a pointer comes after the `READ_ONCE` that has read the pointer, and so after what was done before that was published
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <linux/compiler.h>
#include <linux/rcupdate.h>

struct config {
    int limit;
};

static struct config first, second = {1};
static struct config *current = &second;

static void *update(void *unused)
{
    first.limit = 2;
    rcu_assign_pointer(current, &first);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, update, NULL);
    struct config *seen = rcu_dereference(current);
    int limit = seen->limit;
    assert(limit == 1 || limit == 2);
    pthread_join(t, NULL);
    return 0;
}
