//: about A pointer to the first member is one to the structure, of which another member is changed
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct outer { int x; double d; int y; };
static struct outer outer;
static int *_Atomic given;

static void *give(void *unused)
{
    given = &outer.x;
    return NULL;
}

static void *take(void *unused)
{
    int *first = given;
    if (first)
        ((struct outer *)first)->y = 1;
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
