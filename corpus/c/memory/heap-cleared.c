//: about `calloc` clears memory, which may be read at once
//: check sc holds
//: check tso holds
//: check pso holds
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static int sink;

static void *thread(void *unused)
{
    struct node *node = (struct node *)calloc(1, sizeof *node);
    node->value = 1;
    while (node) {
        sink = node->value;
        node = node->next;
    }
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
