//: about The same message, published by a relaxed store: under PSO the address may arrive before the words
//: check sc holds
//: check tso holds
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message {
    unsigned short length;
    int words[];
};

static struct message *_Atomic mailbox;

static void *sender(void *unused)
{
    struct message *m = malloc(sizeof(*m) + 2 * sizeof(m->words[0]));

    m->length = 2;
    for (int i = 0; i < m->length; i++)
        m->words[i] = i + 10;
    atomic_store_explicit(&mailbox, m, memory_order_relaxed);
    return NULL;
}

static void *receiver(void *unused)
{
    struct message *m = atomic_load_explicit(&mailbox, memory_order_acquire);

    if (m) {
        int sum = 0;
        for (int i = 0; i < m->length; i++)
            sum += m->words[i];
        assert(sum == 21);
        free(m);
    }
    return NULL;
}

int main(void)
{
    pthread_t s, r;

    pthread_create(&s, NULL, sender, NULL);
    pthread_create(&r, NULL, receiver, NULL);
    pthread_join(s, NULL);
    pthread_join(r, NULL);
    return 0;
}
// race: `message#1.length` (lines 21 and 34)
// race: `message#1.words` (lines 23 and 35)
