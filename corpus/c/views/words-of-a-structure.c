//: about A structure is published word by word, through a pointer to its first member: the words are in the right order, under PSO as well with a release store
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct span {
    uint64_t begin, end;
    int64_t left;
};

static struct span source = { 3, 9, -6 }, target;
static atomic_int ready;

static void copy(void *to, const void *from, size_t size)
{
    uint64_t *a = to;
    const uint64_t *b = from;
    for (size_t i = 0; i < size / sizeof *a; i++)
        a[i] = b[i];
}

static void *writer(void *unused)
{
    copy(&target, &source, sizeof target);
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

static void *reader(void *unused)
{
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(target.end - target.begin == 6 && target.left == -6);
    return NULL;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
