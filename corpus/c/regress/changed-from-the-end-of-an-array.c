//: about An element is changed from the end of its array, which is the beginning of another one
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct element { int x; double d; };
static struct { struct element first[2]; struct element second[2]; } both;
static struct element *_Atomic end;

static void *give(void *unused)
{
    end = both.first + 2;
    return NULL;
}

static void *take(void *unused)
{
    struct element *at = end;
    if (at) {
        at--;
        at->x = 1;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, take, NULL);
    pthread_create(&threads[1], NULL, give, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(both.first[1].x == 0);
    return 0;
}
