//: about Two threads add all of their arguments to a counter, and one of them is lost
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

static int counter;

static void add(int first, ...)
{
    va_list list;
    va_start(list, first);
    for (int value = first; value >= 0; value = va_arg(list, int))
        counter += value;
    va_end(list);
}

static void *thread(void *unused)
{
    add(1, 2, -1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(counter == 6);
    return 0;
}
// race: `counter` (line 16 in two threads)
