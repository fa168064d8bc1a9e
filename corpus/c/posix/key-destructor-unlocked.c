//: about Two destructors that run at once lose an increment
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int count;

static void add(void *value)
{
    count++;
}

static void make(void)
{
    pthread_key_create(&key, add);
}

static void *thread(void *unused)
{
    pthread_once(&once, make);
    pthread_setspecific(key, &count);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(count == 2);
    return 0;
}
// race: `count` (line 14 in two threads)
