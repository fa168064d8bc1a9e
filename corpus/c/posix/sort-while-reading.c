//: about A thread that reads while another one sorts sees an element twice
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int items[2] = { 2, 1 };

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
    assert(items[0] + items[1] == 3);
    pthread_join(t, NULL);
    return 0;
}
// race: `items` (lines 18 and 26)
