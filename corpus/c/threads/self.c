//: about Each thread has a handle of its own
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>

static pthread_t first;

static void *thread(void *unused)
{
    pthread_t me = pthread_self();
    assert(pthread_equal(me, pthread_self()));
    assert(!pthread_equal(me, first));
    return NULL;
}

int main(void)
{
    pthread_t t;
    first = pthread_self();
    pthread_create(&t, NULL, thread, NULL);
    assert(!pthread_equal(t, pthread_self()));
    pthread_join(t, NULL);
    return 0;
}
