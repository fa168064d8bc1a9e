//: about What is freed must be the start of a block
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <stdlib.h>

static int *volatile p;

static void *thread(void *unused)
{
    int *block = malloc(2 * sizeof(int));
    p = block + 1;
    free(p);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
