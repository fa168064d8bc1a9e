//: about InnoDB mutex_exit: the lock word is reset, still buffered, when the waiters are looked for; fenced at EX
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>

static volatile int lock_word = 1;
static volatile int waiters;
static int asleep, signalled;

static void *leave(void *unused)
{
    lock_word = 0;
    __sync_synchronize();
    if (waiters)
        signalled = 1;
    return NULL;
}

static void *enter(void *unused)
{
    waiters = 1;
    if (__sync_lock_test_and_set(&lock_word, 1))
        asleep = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, leave, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!asleep || signalled);
    return 0;
}
