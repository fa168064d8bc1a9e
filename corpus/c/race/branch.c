//: about After a branch on what `READ_ONCE` has read, a store by `WRITE_ONCE` is ordered and a plain load is not
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <linux/compiler.h>
#include <asm/barrier.h>

static int before, after, ready;

static void *update(void *unused)
{
    before = 1;
    int seen = after;
    assert(seen == 0);
    smp_store_release(&ready, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, update, NULL);
    if (READ_ONCE(ready)) {
        WRITE_ONCE(after, 1);
        assert(before == 1);
    }
    pthread_join(t, NULL);
    return 0;
}

// race: `before` (lines 15 and 28)
