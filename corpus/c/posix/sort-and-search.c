//: about Sorting and searching: the comparison is called through a pointer, and elements are structures or integers
//: check sc holds
//: check tso holds
//: check pso holds
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct item { int key; const char *name; int values[2]; };
static struct item items[3];
static int by_key(const void *x, const void *y)
{
    const struct item *a = x, *b = y;
    return a->key < b->key ? -1 : a->key > b->key;
}
static int down(const void *x, const void *y, void *arg)
{
    return (*(const int *)y - *(const int *)x) * *(int *)arg;
}
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *t(void *arg)
{
    pthread_mutex_lock(&m);
    items[0].key = 3; items[1].key = 1; items[2].key = 2;
    items[0].name = "c"; items[1].name = "a"; items[2].name = "b";
    items[0].values[1] = 30; items[1].values[1] = 10; items[2].values[1] = 20;
    qsort(items, sizeof items / sizeof items[0], sizeof items[0], by_key);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t th;
    int *h = malloc(2 * sizeof *h), one = 1;
    h[0] = 1; h[1] = 2;
    pthread_create(&th, 0, t, 0);
    qsort_r(h, 2, sizeof *h, down, &one);
    assert(h[0] == 2 && h[1] == 1);
    pthread_join(th, 0);
    struct item key = { .key = 2 };
    struct item *p = bsearch(&key, items, 3, sizeof(struct item), by_key);
    assert(p && p->values[1] == 20 && p->name[0] == 'b');
    key.key = 4;
    assert(!bsearch(&key, items, 3, sizeof(struct item), by_key));
    return 0;
}
