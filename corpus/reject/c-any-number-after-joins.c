//: error "what `main` does after any number of threads have ended is not decided"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);
static atomic_int count;

static void *worker(void *unused)
{
    count++;
    return NULL;
}

int main(void)
{
    pthread_t t[8];
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    assert(count > 0);
    return 0;
}
