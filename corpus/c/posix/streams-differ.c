//: about Streams that are open at once are different ones
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *own;

static void *thread(void *unused)
{
    own = fopen("a", "w");
    return NULL;
}

int main(void)
{
    pthread_t t;
    FILE *files[2];

    pthread_create(&t, NULL, thread, NULL);
    for (int i = 0; i < 2; i++)
        files[i] = fopen(i ? "b" : "c", "r");
    pthread_join(t, NULL);
    assert(!own || own != files[0]);
    return 0;
}
