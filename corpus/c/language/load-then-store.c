//: about `x = x + 1` on an atomic object is a load and a store; `x += 1` is one instruction
//: check sc violated
//: check tso violated
//: check pso violated
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread(void *unused)
{
    x = x + 1;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(x == 2);
    return 0;
}
