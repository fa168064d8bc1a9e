//: about A value that `free` ends with its thread is not there for others after that
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int *kept;

static void *thread(void *unused)
{
    kept = malloc(sizeof *kept);
    *kept = 1;
    pthread_setspecific(key, kept);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_key_create(&key, free);
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    assert(*kept == 1);
    return 0;
}
