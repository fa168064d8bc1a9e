//: about A list with links inside its entries, and a container_of of its own. The loop ends with the container of the head, which is none: it is not accessed.
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define container_of(pointer, type, member) ({ \
    const typeof(((type *)0)->member) *inside = (pointer); \
    (type *)((char *)inside - offsetof(type, member)); })
#define for_each(at, head, member) \
    for (at = container_of((head)->next, typeof(*at), member); &at->member != (head); \
         at = container_of(at->member.next, typeof(*at), member))

struct link { struct link *next, *previous; };
struct job { int cost; struct link link; };

static struct link jobs = { &jobs, &jobs };
static struct job first = { .cost = 1 }, second = { .cost = 2 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *submit(void *argument)
{
    struct job *job = argument;
    pthread_mutex_lock(&lock);
    job->link.next = &jobs;
    job->link.previous = jobs.previous;
    jobs.previous->next = &job->link;
    jobs.previous = &job->link;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int total(void)
{
    struct job *job;
    int sum = 0;
    pthread_mutex_lock(&lock);
    for_each(job, &jobs, link)
        sum += job->cost;
    pthread_mutex_unlock(&lock);
    return sum;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, submit, &first);
    pthread_create(&other, NULL, submit, &second);
    int sum = total();
    assert(sum >= 0 && sum <= 3);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(total() == 3);
    return 0;
}
