//: about The last of some calls fails, and what it left is looked at after the loop
//: check sc violated
//: check tso violated
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t slots;

static void *worker(void *unused)
{
    errno = 0;
    while (sem_trywait(&slots) == 0)
        ;
    assert(errno == 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&slots, 0, 2);
    pthread_create(&thread, NULL, worker, NULL);
    sem_post(&slots);
    pthread_join(thread, NULL);
    return 0;
}
