//: about The count is read after the flag: the wake-up in between is lost
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

static atomic_int gate, flag;

static void *waiter(void *unused)
{
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        futex(&gate, FUTEX_WAIT, atomic_load(&gate), NULL);
    return NULL;
}

static void *waker(void *unused)
{
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_fetch_add(&gate, 1);
    futex(&gate, FUTEX_WAKE, INT_MAX, NULL);
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
