//: about Elements that compare equal may end in any order: no library promises that the first one stays first
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct item { int key, first; };
static struct item items[2] = { { 1, 1 }, { 1, 2 } };

static int by_key(const void *a, const void *b)
{
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

static void *sorter(void *unused)
{
    qsort(items, 2, sizeof *items, by_key);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sorter, NULL);
    pthread_join(t, NULL);
    assert(items[0].first == 1);
    return 0;
}
