//: about Store buffering: a wake-up of nobody drains the buffer, and so does a wait that fails
//: check sc holds
//: check tso holds
//: check pso holds
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

static atomic_int x, y, word;
static int r0, r1;

static void *left(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    futex(&word, FUTEX_WAKE, 1, NULL);
    r0 = atomic_load_explicit(&y, memory_order_relaxed);
    return NULL;
}

static void *right(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    futex(&word, FUTEX_WAIT_PRIVATE, 1, NULL);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, left, NULL);
    pthread_create(&t[1], NULL, right, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(r0 == 1 || r1 == 1);
    return 0;
}
