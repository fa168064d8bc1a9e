//: about The second member of an element after the last one, beside which another object is
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pair {
    int first, second;
};

static struct pair pairs[2];
static int beside[4];
static atomic_int now;

static void *thread(void *unused)
{
    struct pair *p = pairs + 1 + atomic_load(&now);
    p->second = 7;
    assert(beside[0] == 0 && beside[1] == 0);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    atomic_store(&now, 1);
    pthread_join(a, NULL);
    return 0;
}
