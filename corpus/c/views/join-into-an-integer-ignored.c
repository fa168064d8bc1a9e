//: about The result arrives although the pointer to it has lost its type
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *routine(void *unused)
{
    pthread_exit((void *)(intptr_t)-3);
}

int main(void)
{
    pthread_t thread;
    long *result = (long *)calloc(2, sizeof(long));
    pthread_create(&thread, NULL, routine, NULL);
    pthread_join(thread, (void *)&result[1]);
    assert(result[1] == 0);
    return 0;
}
