//: about No call clears `errno`: the error of one that failed, or another one, is still there after others
//: check sc holds
//: check tso holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t items;

static void *worker(void *unused)
{
    if (sem_trywait(&items) != 0) {
        puts("nothing yet");
        sem_post(&items);
        assert(errno != 0);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&items, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
