//: about A system call that is not known
//: error "system call 1 is not supported"
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word, other;

static void *thread(void *unused)
{
    syscall(SYS_write, 1, &word, 4);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
