//: about The results of threads, by return and by exit
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x;

static void *returns(void *arg)
{
    x = 1;
    return (void *)((intptr_t)arg * 10);
}

static void *exits(void *arg)
{
    if (x)
        pthread_exit((void *)1);
    pthread_exit((void *)2);
}

int main(void)
{
    pthread_t t[3];
    void *first, *second, *third;
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, returns, (void *)(i + 1));
    pthread_create(&t[2], NULL, exits, NULL);
    pthread_join(t[0], &first);
    pthread_join(t[1], &second);
    pthread_join(t[2], &third);
    assert((intptr_t)first == 10 && (intptr_t)second == 20);
    assert((intptr_t)third == 1 || (intptr_t)third == 2);
    return 0;
}
