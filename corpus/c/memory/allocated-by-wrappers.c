//: about Functions that allocate for whoever calls them: the conversion of what they return says for what
//: check sc holds
//: check tso holds
//: check pso holds
#include <stdlib.h>
#include <pthread.h>
#include <assert.h>
struct node { int v; struct node *next; };
static void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
static void *xcalloc(size_t n, size_t s) { return calloc(n, s); }
static struct node *head;
static int *a;
static void *th(void *x) { struct node *n = xmalloc(sizeof *n); n->v = 2; n->next = head; head = n; return 0; }
int main() {
    pthread_t t;
    a = xcalloc(4, sizeof(int));
    struct node *n = xmalloc(sizeof(struct node)); n->v = 1; n->next = 0; head = n;
    pthread_create(&t, 0, th, 0); pthread_join(t, 0);
    assert(head->v == 2 && head->next->v == 1 && a[3] == 0);
}
