//: about Sorting stores to elements even if they are in order: libraries copy them
//: check sc holds
//: check tso holds
//: check pso holds
#include <pthread.h>
#include <stdlib.h>

static int items[2] = { 1, 2 };

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void *sorter(void *unused)
{
    qsort(items, 2, sizeof items[0], ascending);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sorter, NULL);
    int first = items[0];
    pthread_join(t, NULL);
    return first;
}
// race: `items` (lines 17 and 25)
