//: about One of two blocks is freed, and the second member of that one is read
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <stdlib.h>

struct pair {
    int first, second;
};

static struct pair *volatile both[2];
static volatile int chosen = 1;
static int sink;

static void *thread(void *unused)
{
    free(both[1]);
    struct pair *pair = both[chosen];
    sink = pair->second;
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        both[i] = malloc(sizeof(struct pair));
        both[i]->first = both[i]->second = i;
    }
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
