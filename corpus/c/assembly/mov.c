//: about Store buffering: a clobber of memory stops the compiler, not the store buffer
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
#include <assert.h>
#include <pthread.h>

static int x, y, z;
static int r0, r1;

static void store(int *p, int value)
{
    asm volatile("movl %1,%0" : "=m"(*p) : "r"(value) : "memory");
}

static int load(int *p)
{
    int value;
    asm volatile("movl %1,%0" : "=r"(value) : "m"(*p) : "memory");
    return value;
}

static void *left(void *unused)
{
    store(&x, 1);
    r0 = load(&y);
    return 0;
}

static void *right(void *unused)
{
    store(&y, 1);
    r1 = load(&x);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(r0 == 1 || r1 == 1);
    return 0;
}
