//: about The same as dependency.c, but a relaxed store publishes nothing
//: check sc holds
//: check tso holds
//: check pso violated

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
    WRITE_ONCE(current, &first);
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

// race: `first.limit` (lines 20 and 30)
