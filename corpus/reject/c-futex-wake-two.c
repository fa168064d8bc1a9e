//: about A wake-up of two threads
//: error "a wake-up is of one thread, or of all (`INT_MAX`)"
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word, other;

static void *thread(void *unused)
{
    syscall(SYS_futex, &word, FUTEX_WAKE, 2);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
