//: about A block is freed while another thread may still use it
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;
static int sink;

static void *reader(void *unused)
{
    int *p = atomic_load(&shared);
    if (p)
        sink = *p;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *block = malloc(sizeof(int));
    *block = 1;
    atomic_store(&shared, block);
    pthread_create(&t, NULL, reader, NULL);
    atomic_store(&shared, NULL);
    free(block);
    pthread_join(t, NULL);
    return 0;
}
