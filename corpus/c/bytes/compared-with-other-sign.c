//: about memcmp compares bytes: the same one, seen as `char` and as `unsigned char` through a pointer that only the execution knows
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char bytes[2];
static void *hidden;

static void *thread(void *unused)
{
    bytes[1] = (char)128;
    hidden = bytes;
    unsigned char *same = hidden;
    assert(memcmp(bytes, same, sizeof bytes) == 0);
    same[1] = 127;
    unsigned char greater[2] = { 0, 128 };
    assert(memcmp(greater, same, sizeof greater) > 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
