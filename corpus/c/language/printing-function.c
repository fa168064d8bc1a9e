//: about A function with a variable number of arguments that only prints them
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static int level;

static void show(int from, ...)
{
    va_list list;
    if (from < level)
        return;
    va_start(list, from);
    vprintf("%d\n", list);
    va_end(list);
}

static void *thread(void *unused)
{
    int n = 1;
    show(1, n++);
    assert(n == 2);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
