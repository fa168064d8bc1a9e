//: about a thread that waits for a time, and one that waits until it is signalled: a signal may wake the first one only
//: forbid stuck
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *timed(void *unused)
{
    struct timespec end = {0, 0};
    pthread_mutex_lock(&lock);
    waiting++;
    pthread_cond_timedwait(&changed, &lock, &end);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *patient(void *unused)
{
    pthread_mutex_lock(&lock);
    waiting++;
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int both = 0;
    pthread_create(&a, NULL, timed, NULL);
    pthread_create(&b, NULL, patient, NULL);
    while (!both) {
        pthread_mutex_lock(&lock);
        both = waiting == 2;
        if (both)
            pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
