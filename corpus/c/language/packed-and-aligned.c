//: about `sizeof` and `_Alignof` follow `aligned`, `_Alignas` and `packed`; in memory each scalar is a cell all the same
//: check sc holds
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct slot {
    _Alignas(64) int value;
    char tag;
} __attribute__((aligned(128)));

struct __attribute__((packed)) message {
    char kind;
    int size;
};

struct mixed {
    char first;
    short second __attribute__((packed));
    long third __attribute__((aligned(32)));
};

_Static_assert(sizeof(struct slot) == 128 && _Alignof(struct slot) == 128, "64 and 1, rounded up");
_Static_assert(offsetof(struct slot, tag) == 4, "after the `int`");
_Static_assert(sizeof(struct message) == 5 && _Alignof(struct message) == 1, "no gaps");
_Static_assert(offsetof(struct mixed, second) == 1 && offsetof(struct mixed, third) == 32, "one gap");
_Static_assert(sizeof(struct mixed) == 64, "two times 32");

static struct slot *slots;
static struct message message;

static void *thread(void *unused)
{
    slots[1].value = 1;
    message.size = 2;
    return NULL;
}

int main(void)
{
    pthread_t t;
    slots = malloc(2 * sizeof(struct slot));
    slots[0].value = 0;
    message.kind = 3;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    assert(slots[0].value == 0 && slots[1].value == 1);
    assert(message.kind == 3 && message.size == 2);
    return 0;
}
