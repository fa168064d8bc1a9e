//: about A thread may use a semaphore before it is initialised
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;

static void *thread(void *unused)
{
    sem_post(&ready);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    sem_init(&ready, 0, 0);
    sem_wait(&ready);
    pthread_join(t, NULL);
    return 0;
}
