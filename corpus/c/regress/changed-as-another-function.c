//: about A pointer to a function is changed as one to a function of another type
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

typedef void (*action)(void);
typedef int (*question)(int);
static void nothing(void)
{
}

static int same(int x)
{
    return x;
}

static action handler = nothing;
static question *_Atomic given;

static void *give(void *unused)
{
    given = (question *)&handler;
    return NULL;
}

static void *take(void *unused)
{
    question *at = given;
    if (at)
        *at = same;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, take, NULL);
    pthread_create(&threads[1], NULL, give, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(handler == nothing);
    return 0;
}
