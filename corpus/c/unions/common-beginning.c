//: about A message whose kind is read by the common beginning of all its structures; the flag publishes it in order under TSO only
//: check tso holds
//: check pso violated
#include <assert.h>
#include <pthread.h>

enum { NONE, NUMBER };

union message {
    struct { int kind; } any;
    struct { int kind, number; } number;
    struct { int kind; void *data; } pointer;
};

static union message mail;
static volatile int ready;

static void *sender(void *unused)
{
    mail.number.kind = NUMBER;
    mail.number.number = 7;
    ready = 1;
    return NULL;
}

static void *receiver(void *unused)
{
    if (ready) {
        const union message *m = &mail;
        assert(m->any.kind == NUMBER);
        assert(m->number.number == 7);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

// race: `mail.number.kind` (lines 20 and 30)
// race: `mail.number.number` (lines 21 and 31)
