//: about A structure is copied with a member that has no value, which is read from the copy
//: check sc violated
//: check tso violated
//: check pso violated
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
    assert(shared.second == 0 || copy.first == 0);
    pthread_join(a, NULL);
    return 0;
}

// race: `go` (lines 17 and 26)
