//: about A node published by a plain store: its fields may be unwritten where stores are reordered
//: check sc holds
//: check tso holds
//: check pso violated
//: robust tso yes
//: robust pso no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message {
    int body;
};

static _Atomic(struct message *) published;

static void *writer(void *unused)
{
    struct message *message = malloc(sizeof *message);
    message->body = 42;
    atomic_store_explicit(&published, message, memory_order_relaxed);
    return NULL;
}

static void *reader(void *unused)
{
    struct message *message = atomic_load_explicit(&published, memory_order_acquire);
    if (message && message->body == 0)
        return NULL;
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

// race: `message#1.body` (lines 21 and 29)
