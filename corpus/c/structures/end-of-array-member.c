//: about A loop over an array inside a structure ends at what follows the array, which is of another shape
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct entry {
    const char *name;
    int value;
};

struct table {
    struct entry entries[2];
    int used;
    struct table *next;
};

static struct table table = { .entries = { { "a", 1 }, { "b", 2 } }, .used = 2 };
static int sum;

static void *reader(void *argument)
{
    struct table *t = argument;

    for (const struct entry *e = t->entries; e < t->entries + 2; e++)
        if (e->name[0] == 'b')
            sum += e->value;
    return NULL;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, reader, &table);
    pthread_join(thread, NULL);
    assert(sum == 2);
    return 0;
}
