//: about A block is left by `break`, with a pointer to its variable
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;

static void *stopper(void *unused)
{
    atomic_store(&stop, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int outer = 0;
    int *p = &outer;
    pthread_create(&t, NULL, stopper, NULL);
    while (!atomic_load(&stop)) {
        int inner = 1;
        if (atomic_load(&stop)) {
            p = &inner;
            break;
        }
    }
    assert(*p < 2);
    pthread_join(t, NULL);
    return 0;
}
