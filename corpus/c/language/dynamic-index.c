//: about An array of structures is indexed by a value that is not known
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
atomic_int next;
struct item { int key; struct { int a, b; } v; };
struct item items[3];
void *t(void *u) {
    int i = atomic_fetch_add(&next, 1);
    items[i].v.b = i;
    items[i].v.a = items[i].v.b;
    int *heap = malloc(2 * sizeof(int));
    heap[i] = 5;
    assert(heap[i] == 5);
    return 0;
}
int main(void) {
    pthread_t th[2];
    for (int i = 0; i < 2; i++) pthread_create(&th[i], 0, t, 0);
    for (int i = 0; i < 2; i++) pthread_join(th[i], 0);
    assert(items[1].v.a == 1);
}
