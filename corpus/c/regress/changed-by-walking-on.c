//: about Where a program walks over a structure by a pointer to its integers, one to a part of it leads on, too
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct part { int x; int w; };
struct whole { struct part part; int y; };
static struct whole whole;
static struct part *_Atomic given;

static void *give(void *unused)
{
    given = &whole.part;
    return NULL;
}

static void *take(void *unused)
{
    struct part *part = given;
    if (part) {
        int *each = &part->x;
        each += 2;
        *each = 1;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    int *all = (int *)&whole;
    for (int i = 0; i < 3; i++)
        all[i] = 0;
    pthread_create(&threads[0], NULL, take, NULL);
    pthread_create(&threads[1], NULL, give, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(whole.y == 0);
    return 0;
}
