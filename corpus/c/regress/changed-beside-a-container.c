//: about What is around a member is an element of an array, and another element is changed
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct part { double d; };
struct whole { int a; struct part part; int c; };
static struct whole all[3];
static struct part *_Atomic given;

static void *give(void *unused)
{
    given = &all[0].part;
    return NULL;
}

static void *take(void *unused)
{
    struct part *part = given;
    if (part) {
        struct whole *whole = (struct whole *)((char *)part - offsetof(struct whole, part));
        whole[2].c = 1;
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
    assert(all[2].c == 0);
    return 0;
}
