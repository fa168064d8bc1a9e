//: about A plain load of what another thread stores atomically is a race, too; volatile accesses are kept as they are
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>

static int mixed;
static volatile int kept;

static void *thread(void *unused)
{
    __atomic_store_n(&mixed, 1, __ATOMIC_SEQ_CST);
    kept = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    int seen = mixed;
    assert(seen <= 1 && kept <= 1);
    pthread_join(t, NULL);
    return 0;
}

// race: `mixed` (lines 14 and 23)
