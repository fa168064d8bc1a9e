//: about A futex that is chosen at run time: both words are woken, whichever comes first
//: forbid stuck
//: check sc holds
//: check tso holds
//: check pso holds
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

static void set_and_wake(atomic_uint *word)
{
    atomic_store(word, 1);
    syscall(SYS_futex, word, FUTEX_WAKE, 1);
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, waiter, 0);
    pthread_create(&u, 0, chooser, 0);
    int first = atomic_load(&choice);
    set_and_wake(&words[first]);
    set_and_wake(&words[1 - first]);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
