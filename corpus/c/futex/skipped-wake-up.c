//: about The waker looks for sleepers while its store is delayed; the sleeper needs no fence, the kernel has one
//: check sc holds
//: check tso violated
//: fence tso assertions 1
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

static atomic_int value, sleepers;

static void *waiter(void *unused)
{
    atomic_store_explicit(&sleepers, 1, memory_order_relaxed);
    while (!atomic_load_explicit(&value, memory_order_relaxed))
        futex(&value, FUTEX_WAIT_PRIVATE, 0, NULL);
    return NULL;
}

static void *waker(void *unused)
{
    atomic_store_explicit(&value, 1, memory_order_relaxed);
    if (atomic_load_explicit(&sleepers, memory_order_relaxed))
        futex(&value, FUTEX_WAKE_PRIVATE, 1, NULL);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, waiter, NULL);
    pthread_create(&t[1], NULL, waker, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
