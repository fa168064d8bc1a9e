//: about A function is called through a pointer of another type, and changes what is around
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct inner { int x; };
struct outer { struct inner inner; int y; };
static struct outer outer;
static struct inner *_Atomic given;
static void change(struct outer *of)
{
    of->y = 1;
}

static void *give(void *unused)
{
    given = &outer.inner;
    return NULL;
}

static void *take(void *unused)
{
    struct inner *inner = given;
    void (*function)(struct inner *) = (void (*)(struct inner *))change;
    if (inner)
        function(inner);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, take, NULL);
    pthread_create(&threads[1], NULL, give, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(outer.y == 0);
    return 0;
}
