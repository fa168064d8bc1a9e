//: about An `int` is read as a `long`
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

static long x;

static long second(int first, ...)
{
    va_list list;
    va_start(list, first);
    long value = va_arg(list, long);
    va_end(list);
    return value;
}

static void *thread(void *unused)
{
    x = second(1, 2);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
