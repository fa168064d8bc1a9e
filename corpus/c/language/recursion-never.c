//: about a recursion that no constant ends, but the values of the program do
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>

static volatile int x, calls;

static void f(void)
{
    calls++;
    if (x)
        f();
}

static void *thread(void *unused)
{
    f();
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    assert(calls == 1);
    return 0;
}
