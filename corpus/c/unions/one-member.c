//: about Of the union only one member is used, as of the types of the C library that reserve space by others
//: check tso violated
//: check sc holds
//: robust tso no
#include <assert.h>
#include <pthread.h>

typedef union {
    struct { int wanted, turn; } data;
    char size[40];
    long double align;
} side_t;

static side_t left, right;
static int seen_left, seen_right;

static void *first(void *unused)
{
    left.data.wanted = 1;
    seen_left = right.data.wanted;
    return NULL;
}

static void *second(void *unused)
{
    right.data.wanted = 1;
    seen_right = left.data.wanted;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen_left || seen_right);
    return 0;
}

// race: `left.data.wanted` (lines 19 and 27)
// race: `right.data.wanted` (lines 20 and 26)
