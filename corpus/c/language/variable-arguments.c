//: about Arguments without parameters are read in order, from copies of lists and in functions that get them, by several threads
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static int first, second, last;

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

static void store(int value, va_list list)
{
    int *to;
    while ((to = va_arg(list, int *)) != NULL)
        *to = value;
}

static void store_all(int value, ...)
{
    va_list list;

    va_start(list, value);
    store(value, list);
    va_end(list);
}

static int twice(const char *kinds, ...)
{
    va_list list, again;
    int number = 0;

    va_start(list, kinds);
    va_copy(again, list);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i':
            number += va_arg(list, int);
            break;
        case 's':
            number += va_arg(list, char *)[0] == 'b';
            break;
        default:
            number += va_arg(list, long) != 0;
        }
    }
    va_end(list);
    number += 10 * va_arg(again, int);
    va_end(again);
    return number;
}

static void tell(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

static void *thread(void *argument)
{
    int *own = argument;
    *own = sum(3, *own, 1, 1);
    tell("%s: %d\n", "sum", *own);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, thread, &first);
    pthread_create(&t[1], NULL, thread, &second);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(first == 2 && second == 2 && sum(0) == 0);
    store_all(7, &first, &last, NULL);
    assert(first == 7 && second == 2 && last == 7);
    assert(twice("isl", 3, "b", 5L) == 35);
    return 0;
}
