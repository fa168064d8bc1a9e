//: about A table with a static initialiser, which says how long its last member is; thread counts and lengths are `const` integers
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct steps {
    int count;
    struct { char id; long weight; } list[];
};

static struct steps steps = { 2, { { 'a', 3 }, { 'b', 4 } } };
static const unsigned readers = 2;
static long sums[2];

static void *reader(void *sum)
{
    for (int i = 0; i < steps.count; i++)
        *(long *)sum += steps.list[i].weight;
    return NULL;
}

int main(void)
{
    const unsigned last = readers - 1;
    pthread_t threads[readers], *t = threads;

    for (unsigned i = 0; i <= last; i++)
        pthread_create(t + i, NULL, reader, &sums[i]);
    for (unsigned i = 0; i < readers; i++)
        pthread_join(threads[i], NULL);
    assert(sums[0] == 7 && sums[last] == 7);
    assert(sizeof(steps) == 8 && offsetof(struct steps, list) == 8);
    return 0;
}
