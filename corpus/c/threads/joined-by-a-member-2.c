//: about Workers are counted by a member beside others that change through pointers at run time
//: check sc holds
//: check tso holds
//: check pso holds
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
#define N 2
struct conn { pthread_mutex_t lock; int uses; struct conn *next; };
struct server { int nworkers; int nconns; pthread_mutex_t lock; struct conn conns[N]; struct conn *free; pthread_t tids[4]; };
static struct conn *take(struct server *s) {
    pthread_mutex_lock(&s->lock);
    struct conn *c = s->free;
    if (c) s->free = c->next;
    pthread_mutex_unlock(&s->lock);
    return c;
}
static void give(struct server *s, struct conn *c) {
    pthread_mutex_lock(&s->lock);
    c->next = s->free; s->free = c;
    pthread_mutex_unlock(&s->lock);
}
static void *work(void *arg) {
    struct server *s = arg;
    struct conn *c = take(s);
    if (!c) return NULL;
    pthread_mutex_lock(&c->lock);
    c->uses++;
    pthread_mutex_unlock(&c->lock);
    give(s, c);
    return NULL;
}
int main(void) {
    struct server *s = malloc(sizeof *s);
    s->nworkers = 2; s->nconns = N; s->free = NULL;
    pthread_mutex_init(&s->lock, NULL);
    for (int i = 0; i < s->nconns; i++) {
        pthread_mutex_init(&s->conns[i].lock, NULL);
        s->conns[i].uses = 0;
        s->conns[i].next = s->free; s->free = &s->conns[i];
    }
    for (int i = 0; i < s->nworkers; i++) pthread_create(&s->tids[i], NULL, work, s);
    for (int i = 0; i < s->nworkers; i++) pthread_join(s->tids[i], NULL);
    int total = 0;
    for (int i = 0; i < s->nconns; i++) total += s->conns[i].uses;
    assert(total == 2);
    free(s);
    return 0;
}
