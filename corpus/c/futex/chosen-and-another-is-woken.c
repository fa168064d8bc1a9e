//: about A futex that is chosen at run time: the word that is woken is not always the one that was set
//: forbid stuck
//: check sc violated  the waiter sleeps at a word that was set and not woken
//: check tso violated
//: check pso violated
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint words[2];
static atomic_int choice;

static void *waiter(void *unused)
{
    while (atomic_load(&words[0]) == 0)
        syscall(SYS_futex, &words[0], FUTEX_WAIT, 0, NULL);
    return 0;
}

static void *chooser(void *unused)
{
    atomic_store(&choice, 1);
    return 0;
}

static void wake(atomic_uint *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, 1);
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, waiter, 0);
    pthread_create(&u, 0, chooser, 0);
    int first = atomic_load(&choice);
    atomic_store(&words[0], 1);
    wake(&words[first]);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
