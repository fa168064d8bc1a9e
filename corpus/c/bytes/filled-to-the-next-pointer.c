//: about Padding belongs to what comes before it, and what comes after the last byte has no part in it
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct entry { char kind; int count; void *data; };
static struct entry entry;
static volatile int filled[3];

static void *fill(void *unused)
{
    for (int i = 0; i < 3; i++)
        memset(&entry, 1, filled[i]);
    return unused;
}

int main(void)
{
    pthread_t thread;
    entry.data = &entry;
    filled[0] = 1;
    filled[1] = 3;
    filled[2] = 8;
    pthread_create(&thread, NULL, fill, NULL);
    pthread_join(thread, NULL);
    assert(entry.kind == 1 && entry.count == 0x01010101 && entry.data == &entry);
    return 0;
}
