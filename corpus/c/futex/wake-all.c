//: about All sleepers are woken, and counted
//: check sc holds
//: check tso holds
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

static atomic_int value;

static void *waiter(void *unused)
{
    while (!atomic_load(&value))
        futex(&value, FUTEX_WAIT, 0, NULL);
    return NULL;
}

static void *waker(void *unused)
{
    atomic_store(&value, 1);
    long woken = futex(&value, FUTEX_WAKE, INT_MAX, NULL);
    assert(woken >= 0 && woken <= 2);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, waiter, NULL);
    pthread_create(&t[1], NULL, waiter, NULL);
    pthread_create(&t[2], NULL, waker, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    return 0;
}
