//: about pthread_once: the routine has run once when any call returns
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;

static void initialise(void)
{
    runs++;
}

static void *thread(void *unused)
{
    pthread_once(&once, initialise);
    assert(runs == 1);
    pthread_exit(&runs);
}

int main(void)
{
    pthread_t a, b;
    void *result;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, &result);
    assert(result == &runs);
    pthread_join(b, NULL);
    return 0;
}
