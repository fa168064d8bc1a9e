//: about A null pointer is moved by no elements, which is known at run time only
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>

static int *volatile nothing;
static volatile int count;

static void *thread(void *unused)
{
    int *end = nothing + count;
    assert(!end);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
