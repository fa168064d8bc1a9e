//: about a number in a text that comes from outside: it may be any
//: check sc violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int most;

static void *reader(void *unused)
{
    const char *text = getenv("MOST");
    if (text)
        most = atoi(text);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, reader, NULL);
    pthread_join(a, NULL);
    assert(most != 123456);
    return 0;
}
