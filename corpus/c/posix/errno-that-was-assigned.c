//: about A call that succeeds may leave `errno` as it was, whatever the program had assigned, and never sets it to 0
//: check sc violated
//: check tso violated
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#define NONE_OF_LINUX 1000

static void *worker(void *unused)
{
    errno = NONE_OF_LINUX;
    puts("begun");
    assert(errno != 0);
    assert(errno != NONE_OF_LINUX);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
