//: about Requeuing the sleepers of a futex
//: error "operation 3 on a futex is not supported"
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word, other;

static void *thread(void *unused)
{
    syscall(SYS_futex, &word, FUTEX_REQUEUE, 1, INT_MAX, &other, 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
