//: about Memory of `alloca` is gone when the call that allocates it has returned
//: check sc violated
//: check tso violated
//: check pso violated
#include <alloca.h>
#include <pthread.h>

static int *shared;

static int *make(void)
{
    int *made = alloca(sizeof *made);
    *made = 1;
    return made;
}

static void *thread(void *unused)
{
    shared = make();
    *shared = 2;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
