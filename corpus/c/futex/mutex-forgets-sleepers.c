//: about The mutex of three states, taken as 1 after a sleep: with three threads one sleeps forever
//: check sc violated
//: check tso violated
// fencepost: forbid stuck
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long futex(atomic_int *word, int operation, int value, const struct timespec *timeout)
{
    return syscall(SYS_futex, word, operation, value, timeout, NULL, 0);
}

static atomic_int state;
static int counter;

/* 0 is free, 1 taken, 2 taken and perhaps waited for. */
static void lock(void)
{
    int seen = 0;
    if (atomic_compare_exchange_strong(&state, &seen, 1))
        return;
    if (seen != 2)
        seen = atomic_exchange(&state, 2);
    while (seen != 0) {
        futex(&state, FUTEX_WAIT_PRIVATE, 2, NULL);
        seen = 0;
        if (atomic_compare_exchange_strong(&state, &seen, 1))
            return;
        if (seen == 1)
            atomic_compare_exchange_strong(&state, &seen, 2);
    }
}

static void unlock(void)
{
    if (atomic_exchange(&state, 0) == 2)
        futex(&state, FUTEX_WAKE_PRIVATE, 1, NULL);
}

static void *thread(void *unused)
{
    lock();
    counter++;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, NULL);
    pthread_create(&t[2], NULL, thread, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    return 0;
}
