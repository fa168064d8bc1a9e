//: error "unknown word `CALLED` beside a declaration"
#include <assert.h>
#include <pthread.h>
static int x;
static void *CALLED worker(void *unused)
{
    x = 1;
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(x == 0);
    return 0;
}
