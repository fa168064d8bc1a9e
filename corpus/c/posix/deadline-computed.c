//: about A deadline is the time and a little more: what the time is does not multiply the states
//: check sc holds
//: check tso holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t freed = PTHREAD_COND_INITIALIZER;
static int available = 1;

static void *client(void *unused)
{
    struct timespec deadline;
    int error = 0, taken;

    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec += 500000000L;
    if (deadline.tv_nsec >= 1000000000L) {
        deadline.tv_sec++;
        deadline.tv_nsec -= 1000000000L;
    }
    pthread_mutex_lock(&mutex);
    while (available == 0 && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&freed, &mutex, &deadline);
    taken = available > 0;
    if (taken)
        available--;
    pthread_mutex_unlock(&mutex);
    if (taken) {
        pthread_mutex_lock(&mutex);
        available++;
        pthread_mutex_unlock(&mutex);
        pthread_cond_signal(&freed);
    }
    return unused;
}

int main(void)
{
    pthread_t clients[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&clients[i], NULL, client, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(clients[i], NULL);
    assert(available == 1);
    return 0;
}
