//: about A thread whose assumption fails is not one that has ended: the other one does not wait forever
//: check sc holds
//: check tso holds
//: check pso holds
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
    sem_post(&s);
    return NULL;
}

static void *second(void *unused)
{
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
