//: about Static mutexes, read-write locks and conditions are 0, and so initialised
//: check sc nothing
//: check tso nothing
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_rwlock_t lock;
static pthread_cond_t condition;
static pthread_once_t once;

static void nothing(void)
{
}

static void *thread(void *unused)
{
    pthread_once(&once, nothing);
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
