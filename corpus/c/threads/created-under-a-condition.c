//: about A thread that is created, and joined, in some executions only
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go, count;

static void *counts(void *unused)
{
    count++;
    return NULL;
}

static void *starts(void *unused)
{
    go = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int created = 0;
    pthread_create(&a, NULL, starts, NULL);
    if (go) {
        pthread_create(&b, NULL, counts, NULL);
        created = 1;
    }
    if (created)
        pthread_join(b, NULL);
    assert(count == created);
    pthread_join(a, NULL);
    return 0;
}
