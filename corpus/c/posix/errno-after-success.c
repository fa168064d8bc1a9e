//: about A call that succeeds may set `errno` all the same: who looks at it without need sees errors that there are not
//: check sc violated
//: check tso violated
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *worker(void *unused)
{
    errno = 0;
    printf("begun\n");
    assert(errno == 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
