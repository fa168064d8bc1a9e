//: about One of two accesses is not under the lock
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int guarded, sometimes;

static void *thread(void *unused)
{
    pthread_mutex_lock(&lock);
    guarded++;
    sometimes++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_mutex_lock(&lock);
    guarded++;
    pthread_mutex_unlock(&lock);
    assert(sometimes <= 1);
    pthread_join(t, NULL);
    assert(guarded == 2);
    return 0;
}

// race: `sometimes` (lines 16 and 28)
