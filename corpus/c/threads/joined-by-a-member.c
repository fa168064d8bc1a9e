//: about A pool whose number of threads is its member: nothing changes it, so the loop that joins them is unrolled
//: check sc holds
//: check tso holds
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct job { void (*fn)(void *); void *arg; struct job *next; };
struct pool {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct job *head, *tail;
    int stopping;
    size_t n;
    pthread_t *threads;
};
static void *worker(void *p) {
    struct pool *pool = p;
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        while (!pool->head && !pool->stopping)
            pthread_cond_wait(&pool->more, &pool->lock);
        struct job *j = pool->head;
        if (!j) {
            pthread_mutex_unlock(&pool->lock);
            return NULL;
        }
        pool->head = j->next;
        if (!pool->head) pool->tail = NULL;
        pthread_mutex_unlock(&pool->lock);
        j->fn(j->arg);
        free(j);
    }
}
struct pool *pool_create(size_t n) {
    struct pool *pool = calloc(1, sizeof *pool);
    if (!pool) return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->more, NULL);
    pool->n = n;
    pool->threads = calloc(n, sizeof *pool->threads);
    if (!pool->threads) { free(pool); return NULL; }
    for (size_t i = 0; i < pool->n; i++)
        if (pthread_create(&pool->threads[i], NULL, worker, pool)) abort();
    return pool;
}
int pool_submit(struct pool *pool, void (*fn)(void *), void *arg) {
    struct job *j = malloc(sizeof *j);
    if (!j) return -1;
    j->fn = fn; j->arg = arg; j->next = NULL;
    pthread_mutex_lock(&pool->lock);
    if (pool->tail) pool->tail->next = j; else pool->head = j;
    pool->tail = j;
    pthread_cond_signal(&pool->more);
    pthread_mutex_unlock(&pool->lock);
    return 0;
}
void pool_destroy(struct pool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->stopping = 1;
    pthread_cond_broadcast(&pool->more);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->n; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->more);
    free(pool->threads);
    free(pool);
}
static int sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void add(void *arg) {
    pthread_mutex_lock(&m);
    sum += *(int *)arg;
    pthread_mutex_unlock(&m);
}
int main(void) {
    static int v[2] = { 1, 2 };
    struct pool *p = pool_create(2);
    for (int i = 0; i < 2; i++) pool_submit(p, add, &v[i]);
    pool_destroy(p);
    assert(sum == 3);
    return 0;
}
