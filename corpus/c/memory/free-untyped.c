//: about A block is freed by a pointer to `void`, and read
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *volatile block;
static void *volatile untyped;
static int sink;

static void *thread(void *unused)
{
    block = malloc(sizeof(int));
    *block = 1;
    untyped = block;
    free(untyped);
    sink = *block;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
