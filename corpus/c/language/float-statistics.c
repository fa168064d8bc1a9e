//: about Floating point that is computed, stored and printed, and decides nothing
//: check sc holds
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static double total;
static int x, y, a, b;

static void *first(void *unused)
{
    x = 1;
    a = y;
    return NULL;
}

static void *second(void *unused)
{
    y = 1;
    b = x;
    return NULL;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, NULL, first, NULL);
    pthread_create(&t, NULL, second, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    total += 100.0 * (a + b) / 2;
    printf("%.1f %%\n", total);
    assert(a || b);
    return 0;
}

// race: `x` (lines 13 and 21)
// race: `y` (lines 14 and 20)
