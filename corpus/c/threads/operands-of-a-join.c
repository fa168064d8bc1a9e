//: about The operands of creating and joining threads are evaluated once, before the call
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>

static int n, m;

static void *t(void *unused)
{
    assert(m == 1);
    return 0;
}

static void **slot(void)
{
    static void *r[4];
    return &r[n++];
}

int main(void)
{
    pthread_t p[2];
    void *r[4];
    int i = 0, j = 0;
    pthread_create(&p[m++], (n++, (void *)0), t, 0);
    pthread_join(p[i++], &r[j++]);
    assert(i == 1 && j == 1 && n == 1);
    pthread_create(&p[i], 0, t, 0);
    pthread_join(p[i], slot());
    assert(n == 2);
    return 0;
}
