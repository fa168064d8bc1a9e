//: about A wait with a timeout ends without a wake-up
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
static const struct timespec soon = { 0, 1000 };

static void *waiter(void *unused)
{
    long result = futex(&value, FUTEX_WAIT, 0, &soon);
    assert(result == -1);
    return NULL;
}

static void *other(void *unused)
{
    assert(futex(&value, FUTEX_WAIT, 1, NULL) == -1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, waiter, NULL);
    pthread_create(&t[1], NULL, other, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
