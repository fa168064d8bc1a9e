//: about Semaphores pass a buffer of one item to and fro
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t items, slots;
static int buffer;

static void *producer(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        sem_wait(&slots);
        buffer = i;
        sem_post(&items);
    }
    return NULL;
}

int main(void)
{
    pthread_t a;
    sem_init(&items, 0, 0);
    sem_init(&slots, 0, 1);
    pthread_create(&a, NULL, producer, NULL);
    for (int i = 1; i <= 2; i++) {
        sem_wait(&items);
        assert(buffer == i);
        sem_post(&slots);
    }
    assert(sem_trywait(&items) != 0);
    pthread_join(a, NULL);
    assert(sem_trywait(&slots) == 0);
    assert(sem_trywait(&slots) == -1);
    return 0;
}
