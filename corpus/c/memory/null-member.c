//: about The second member of what a null pointer points to: the access is at no address near 0
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

static struct pair pair;
static atomic_int now;

static void *thread(void *unused)
{
    struct pair *p = atomic_load(&now) ? NULL : &pair;
    p->second = 1;
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
