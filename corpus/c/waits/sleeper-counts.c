//: about A worker counts jobs off in the loop where it waits for them: where it waits is no predicate, and the fence is found by `check`
//: check sc holds
//: check tso violated
//: fence tso assertions 1
// fencepost: forbid stuck
#include <pthread.h>
#include <stdatomic.h>

#define JOBS 2

static atomic_int queued, asleep;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused)
{
    int done = 0;
    for (;;) {
        atomic_exchange(&asleep, 1);
        while (done < atomic_load(&queued))
            done++;
        if (done == JOBS)
            return 0;
        while (atomic_load(&asleep)) {
            pthread_mutex_lock(&mutex);
            while (atomic_load(&asleep))
                pthread_cond_wait(&woken, &mutex);
            pthread_mutex_unlock(&mutex);
        }
    }
}

static void *submitter(void *unused)
{
    for (int job = 1; job <= JOBS; job++) {
        atomic_store_explicit(&queued, job, memory_order_relaxed);
        if (atomic_load_explicit(&asleep, memory_order_relaxed)) {
            atomic_store_explicit(&asleep, 0, memory_order_relaxed);
            pthread_mutex_lock(&mutex);
            pthread_cond_broadcast(&woken);
            pthread_mutex_unlock(&mutex);
        }
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, submitter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
