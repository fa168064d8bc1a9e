//: about Bytes are read as words, at an index that is not known when the text is read
//: error "a pointer is moved by steps of another size than the scalars that it points to"
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static uint8_t bytes[16] __attribute__((aligned(8)));
static volatile int end = 2;

static void *thread(void *unused)
{
    uint64_t *words = (void *)bytes;
    for (int i = 0; i < end; i++)
        assert(words[i] == 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    bytes[8] = 1;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
