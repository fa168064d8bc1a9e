//: about Through `void *`, the object is of the right size in every execution
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>

static int x = 258, y = 259;
static char c;
static void *volatile p;

static void *thread(void *unused)
{
    p = c ? (void *)&x : (void *)&y;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    int *q = p;
    assert(*q == 259);
    return 0;
}
