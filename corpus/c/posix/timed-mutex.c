//: about A mutex that is waited for no longer than a second: it may be given up, and is not left locked
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, late;

static void *worker(void *unused)
{
    struct timespec until;
    int result;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    result = pthread_mutex_timedlock(&lock, &until);
    if (result == ETIMEDOUT) {
        __atomic_fetch_add(&late, 1, __ATOMIC_RELAXED);
        return unused;
    }
    assert(result == 0);
    done++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t one, other;

    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&other, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    /* Who finds the lock taken has not been alone. */
    assert(done + late == 2 && done >= 1);
    assert(pthread_mutex_trylock(&lock) == 0);
    return 0;
}
