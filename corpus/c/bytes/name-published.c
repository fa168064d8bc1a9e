//: about A thread writes its name into a buffer and raises a flag; the other compares it with a literal
//: check tso holds
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char name[4];
static volatile int named;

static void *writer(void *unused)
{
    strcpy(name, "abc");
    named = 1;
    return NULL;
}

static void *reader(void *unused)
{
    if (named) {
        assert(strcmp(name, "abc") == 0);
        assert(strlen(name) == 3);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

// race: `name` (lines 13 and 21)
