//: about whoever drops the last reference to a node drops that to its parent, up to the root
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int references;
    struct node *parent;
};

static atomic_int freed;

static void put(struct node *node)
{
    if (atomic_fetch_sub(&node->references, 1) == 1) {
        struct node *parent = node->parent;
        node->parent = NULL;
        free(node);
        freed++;
        if (parent)
            put(parent);
    }
}

static void *worker(void *node)
{
    put(node);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    struct node *root = calloc(1, sizeof *root), *inner = calloc(1, sizeof *inner), *leaf = calloc(1, sizeof *leaf);
    root->references = 1;
    inner->references = 1;
    inner->parent = root;
    leaf->references = 2;
    leaf->parent = inner;
    pthread_create(&a, NULL, worker, leaf);
    pthread_create(&b, NULL, worker, leaf);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(freed == 3);
    return 0;
}
