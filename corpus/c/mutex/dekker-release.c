//: about Dekker with the first announcement as a release store, which a later load overtakes
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool wants[2];
static atomic_int turn, inside;

static void enter(int me)
{
    atomic_store_explicit(&wants[me], true, memory_order_release);
    while (wants[!me]) {
        if (turn != me) {
            wants[me] = false;
            while (turn != me)
                ;
            wants[me] = true;
        }
    }
}

static void leave(int me)
{
    turn = !me;
    wants[me] = false;
}

static void section(int me)
{
    enter(me);
    inside++;
    assert(inside == 1);
    inside--;
    leave(me);
}

static void *first(void *unused)
{
    section(0);
    return NULL;
}

static void *second(void *unused)
{
    section(1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    void *(*routines[])(void *) = { first, second };
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, routines[i], NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
