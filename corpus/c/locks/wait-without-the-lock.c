//: about Who waits for a condition must hold the mutex
//: check sc violated
//: check tso violated
//: check pso violated

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *thread(void *unused)
{
    pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_cond_signal(&condition);
    pthread_join(t, NULL);
    return 0;
}
