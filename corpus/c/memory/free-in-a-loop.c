//: about The only thread frees its block in an iteration, and reads it in the next one
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <stdlib.h>

static volatile int rounds = 2;
static int sink;

static void *thread(void *unused)
{
    int *block = malloc(sizeof(int));
    *block = 1;
    for (int i = 0; i < rounds; i++) {
        sink = *block;
        if (i == 0)
            free(block);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
