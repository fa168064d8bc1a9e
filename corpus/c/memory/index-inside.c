//: about An index that is only known at run time stays inside the array
//: check sc holds
//: check tso holds
//: check pso holds
#include <pthread.h>
#include <stdatomic.h>

static int a[4];
static int b = 7;
static atomic_int next;

static void put(int *p, int i, int value)
{
    p[i] = value;
}

static void *thread(void *unused)
{
    for (int n = 0; n < 2; n++)
        put(a, atomic_fetch_add(&next, 1), b);
    return NULL;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, NULL, thread, NULL);
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
