//: about The flag may be set in time for the assumption; nothing is posted then, and the other thread waits
//: check sc violated
//: check tso violated
//: check pso violated
// fencepost: forbid stuck
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_int flag;
static sem_t s;

static void *first(void *unused)
{
    __VERIFIER_assume(atomic_load(&flag));
    return NULL;
}

static void *second(void *unused)
{
    atomic_store(&flag, 1);
    sem_wait(&s);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_exit(NULL);
}
