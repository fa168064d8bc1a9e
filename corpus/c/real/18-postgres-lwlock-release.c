//: about PostgreSQL LWLockRelease: the waiter is let go before it is off the list, and its next link is overwritten
//: check sc holds
//: check tso holds
//: check pso violated
//: robust tso yes
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct proc {
    volatile int link;          /* its place in a list; 0: in none */
    volatile int waiting;
};

static struct proc proc = { .waiting = 1, .link = 1 };

static void *releaser(void *unused)
{
    struct proc *p = &proc;
    p->link = 0;
    p->waiting = 0;
    return NULL;
}

static void *waiter(void *unused)
{
    while (proc.waiting)
        ;
    proc.link = 2;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, releaser, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(proc.link == 2);
    return 0;
}
