//: about A futex that is chosen at run time, where waiting forever is a violation
//: error "which futex this is is not known when the program is read"
// fencepost: forbid stuck
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word, other;

static void *thread(void *unused)
{
    syscall(SYS_futex, other ? &word : &other, FUTEX_WAKE, 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    other = 1;
    pthread_join(t, 0);
    return 0;
}
