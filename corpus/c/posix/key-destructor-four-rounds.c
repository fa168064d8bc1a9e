//: about A destructor that sets the value again is called four times, and no more
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int count;

static void again(void *value)
{
    count++;
    pthread_setspecific(key, value);
}

static void *thread(void *unused)
{
    pthread_setspecific(key, &count);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_key_create(&key, again);
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    assert(count == 4);
    return 0;
}
