//: about Which thread is joined is known at run time, and one of them is joined twice
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int which, first, second;

static void *sets_first(void *unused)
{
    first = 1;
    return (void *)1;
}

static void *sets_second(void *unused)
{
    second = 1;
    return (void *)2;
}

static void *chooses(void *unused)
{
    which = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    void *result;
    pthread_create(&c, NULL, chooses, NULL);
    pthread_create(&a, NULL, sets_first, NULL);
    pthread_create(&b, NULL, sets_second, NULL);
    int mine = which;
    pthread_join(c, NULL);
    pthread_t chosen = mine ? a : b;
    pthread_join(chosen, &result);
    assert(mine ? first == 1 : second == 1);
    assert((intptr_t)result == (mine ? 1 : 2));
    return 0;
}
