//: about Store buffering: locking a mutex again that the thread has already is no fence
//: check sc holds
//: check tso violated
//: check pso violated
// race: `x` (lines 18 and 30)
// race: `y` (lines 20 and 28)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int x, y, r0, r1;

static void *left(void *unused)
{
    pthread_mutex_lock(&lock);
    /* The other thread has no lock. */
    x = 1;
    pthread_mutex_lock(&lock);
    r0 = y;
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *right(void *unused)
{
    y = 1;
    __sync_synchronize();
    r1 = x;
    return unused;
}

int main(void)
{
    pthread_t one, other;

    pthread_create(&one, NULL, left, NULL);
    pthread_create(&other, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(r0 == 1 || r1 == 1);
    return 0;
}
