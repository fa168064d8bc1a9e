//: about A walk over the words of a structure that goes one word too far
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <stdint.h>

struct pair {
    uint64_t a, b;
};

static struct pair pair;
static volatile int words = 3;

static void *clear(void *unused)
{
    uint64_t *word = (uint64_t *)&pair;
    for (int i = 0; i < words; i++)
        word[i] = 0;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, clear, NULL);
    pthread_join(thread, NULL);
    return 0;
}
