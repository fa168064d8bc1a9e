//: about Empty templates with operands hide a value from the compiler and do nothing
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>

static int evaluated;

static int next(void)
{
    return ++evaluated;
}

static void *thread(void *unused)
{
    int value = 3, cells[3] = { 0 };
    asm("" : "+r"(value));
    asm volatile("" : "=r"(cells[next()]) : "0"(next()), "g"(value), "m"(cells) : "memory");
    /* The address of the output comes first, and each operand is evaluated once. */
    assert(value == 3 && evaluated == 2 && cells[1] == 2);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
