//: about A structure is copied although one member has no value: only reading that member is wrong
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>

struct pair {
    int first, second;
};

static struct pair shared;
static int go;

static void *thread(void *unused)
{
    go = 1;
    return NULL;
}

int main(void)
{
    pthread_t a;
    struct pair pair, copy;
    pthread_create(&a, NULL, thread, NULL);
    pair.first = go;
    copy = pair;
    shared = copy;
    copy = shared;
    assert(copy.first == 0 || copy.first == 1);
    assert(shared.first == copy.first);
    pthread_join(a, NULL);
    return 0;
}

// race: `go` (lines 17 and 26)
