//: about A vector that grows under a lock: `realloc` of a size that is known at run time only
//: check sc holds
//: check tso holds
//: check pso holds
#include <stdlib.h>
#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>
struct v { int n, cap; int *e; };
static struct v s;
static void push(struct v *v, int x) {
    if (v->n == v->cap) {
        int nc = v->cap ? v->cap * 2 : 1;
        int *e = realloc(v->e, nc * sizeof *e);
        if (!e) abort();
        v->e = e; v->cap = nc;
    }
    v->e[v->n++] = x;
}
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *th(void *a) {
    for (int i = 0; i < 1; i++) {
    pthread_mutex_lock(&m);
    push(&s, (int)(long)a + i);
    pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, th, (void *)10); pthread_create(&b, 0, th, (void *)20);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(s.n == 2);
    int sum = 0;
    for (int i = 0; i < s.n; i++) sum += s.e[i];
    assert(sum == 30);
    free(s.e);
    return 0;
}
