//: about Variables that have values wherever they are read: by both branches, through pointers, in loops
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int flag;
static atomic_int cell;

static void get(int *out)
{
    *out = flag;
}

static void *thread(void *unused)
{
    flag = 1;
    return (void *)7L;
}

int main(void)
{
    pthread_t a;
    void *result;
    int both, out, last, seen, done = 0;
    pthread_create(&a, NULL, thread, NULL);
    seen = flag;
    if (seen)
        both = 1;
    else
        both = 2;
    assert(both == 1 || both == 2);
    get(&out);
    assert(out == 0 || out == 1);
    do {
        last = flag;
        if (last)
            done = 1;
    } while (!done);
    assert(last == 1);
    int expected;
    expected = 3;
    atomic_compare_exchange_strong(&cell, &expected, 1);
    assert(expected == 0);
    pthread_join(a, &result);
    assert((long)result == 7);
    int correlated;
    if (seen)
        correlated = 5;
    if (seen)
        assert(correlated == 5);
    return 0;
}

// race: `flag` (lines 14 and 19)
