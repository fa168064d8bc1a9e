//: about A thread reads more arguments than it was given
//: check sc violated
//: check tso violated
//: check pso violated
#include <pthread.h>
#include <stdarg.h>

static volatile int more;
static int x;

static int sum(int count, ...)
{
    va_list list;
    int total = 0;

    va_start(list, count);
    for (int i = 0; i < count; i++)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

static void *thread(void *unused)
{
    x = sum(more + 1, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    more = 1;
    pthread_join(t, NULL);
    return 0;
}
