//: about A member is changed that is reached from a node of a list of the kernel
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <linux/list.h>
#include <stdatomic.h>

struct job { int x; int pad[2]; struct list_head link; int done; };
static struct job job;
static LIST_HEAD(jobs);
static atomic_int listed;

static void *give(void *unused)
{
    list_add(&job.link, &jobs);
    listed = 1;
    return NULL;
}

static void *take(void *unused)
{
    struct job *each;
    if (listed)
        list_for_each_entry(each, &jobs, link)
            each->done = 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, take, NULL);
    pthread_create(&threads[1], NULL, give, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(job.done == 0);
    return 0;
}
