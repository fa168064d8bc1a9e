//: about The thread with a timeout may be the one that is woken
//: check sc violated
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

static void *patient(void *unused)
{
    while (!atomic_load(&value))
        futex(&value, FUTEX_WAIT, 0, NULL);
    return NULL;
}

static void *impatient(void *unused)
{
    futex(&value, FUTEX_WAIT, 0, &soon);
    return NULL;
}

static void *waker(void *unused)
{
    atomic_store(&value, 1);
    futex(&value, FUTEX_WAKE, 1, NULL);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, patient, NULL);
    pthread_create(&t[1], NULL, impatient, NULL);
    pthread_create(&t[2], NULL, waker, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    return 0;
}
