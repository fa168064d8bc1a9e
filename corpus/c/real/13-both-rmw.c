//: about Announce, then look, both sides by locked instructions: nothing is delayed
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int queued, suspended;

static void *enqueuer(void *unused)
{
    queued++;
    return (void *)(long)suspended;
}

static void *suspender(void *unused)
{
    suspended += 1;
    return (void *)(long)queued;
}

int main(void)
{
    pthread_t a, b;
    void *seen, *waiting;
    pthread_create(&a, NULL, enqueuer, NULL);
    pthread_create(&b, NULL, suspender, NULL);
    pthread_join(a, &seen);
    pthread_join(b, &waiting);
    assert(seen || waiting);
    return 0;
}
