//: about A queue of BSD under a mutex
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/queue.h>

struct item {
    int value;
    TAILQ_ENTRY(item) link;
};

static TAILQ_HEAD(, item) queue = TAILQ_HEAD_INITIALIZER(queue);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *unused)
{
    struct item *made = malloc(sizeof *made);
    made->value = 3;
    pthread_mutex_lock(&mutex);
    TAILQ_INSERT_TAIL(&queue, made, link);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    struct item *at;
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    pthread_mutex_lock(&mutex);
    TAILQ_FOREACH(at, &queue, link)
        assert(at->value == 3);
    if (!TAILQ_EMPTY(&queue)) {
        at = TAILQ_FIRST(&queue);
        TAILQ_REMOVE(&queue, at, link);
        free(at);
        assert(TAILQ_EMPTY(&queue));
    }
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
