//: about Both threads wait before they post
//: check sc violated
//: check tso violated
//: check pso violated
// fencepost: forbid stuck
#include <pthread.h>
#include <semaphore.h>

static sem_t s, t;

static void *first(void *unused)
{
    sem_wait(&t);
    sem_post(&s);
    return NULL;
}

static void *second(void *unused)
{
    sem_wait(&s);
    sem_post(&t);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 0);
    sem_init(&t, 0, 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
