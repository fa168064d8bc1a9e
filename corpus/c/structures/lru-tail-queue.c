//: about a cache whose entries move to the front when they are used, and that drops the last one, in a queue of BSD
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/queue.h>

#define ROOM 2

struct entry {
    int key;
    TAILQ_ENTRY(entry) link;
};
TAILQ_HEAD(lru, entry);

static struct lru cache = TAILQ_HEAD_INITIALIZER(cache);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int used, dropped;

static struct entry *find(int key)
{
    struct entry *at;
    TAILQ_FOREACH_REVERSE(at, &cache, lru, link)
        if (at->key == key)
            return at;
    return NULL;
}

static void *touch(void *key)
{
    pthread_mutex_lock(&lock);
    struct entry *entry = find((int)(long)key);
    if (entry) {
        TAILQ_REMOVE(&cache, entry, link);
    } else {
        if (used == ROOM) {
            struct entry *last = TAILQ_LAST(&cache, lru);
            TAILQ_REMOVE(&cache, last, link);
            dropped = last->key;
            free(last);
            used--;
        }
        entry = malloc(sizeof *entry);
        entry->key = (int)(long)key;
        used++;
    }
    TAILQ_INSERT_HEAD(&cache, entry, link);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    touch((void *)1);
    pthread_create(&a, NULL, touch, (void *)2);
    pthread_create(&b, NULL, touch, (void *)3);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(used == ROOM && dropped == 1);
    struct entry *last = TAILQ_LAST(&cache, lru);
    assert(TAILQ_PREV(last, lru, link) == TAILQ_FIRST(&cache) && !TAILQ_NEXT(last, link));
    assert(TAILQ_FIRST(&cache)->key + last->key == 5);
    return 0;
}
