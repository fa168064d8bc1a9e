//: about A block is freed after its reader was joined, but only if it was joined
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <stdlib.h>

static int *block;
static volatile int wait;
static int sink;

static void *reader(void *unused)
{
    sink = *block;
    return NULL;
}

int main(void)
{
    pthread_t t;
    block = malloc(sizeof(int));
    *block = 1;
    pthread_create(&t, NULL, reader, NULL);
    if (wait)
        pthread_join(t, NULL);
    free(block);
    return 0;
}
