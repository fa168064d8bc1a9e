//: about Commas and statements in parentheses whose value is a word in parts: what comes before it is executed, too
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>

union word {
    unsigned whole;
    unsigned char byte[4];
};

static union word shared;

static void *add(void *unused)
{
    unsigned seen = (shared.byte[0] = 5, shared.whole);
    assert(seen == 5);
    seen = ({
        shared.byte[1] = 1;
        shared.whole;
    });
    assert(seen == 261);
    int steps = 0;
    for (int i = 0; i < 2; i++, shared.whole += 2)
        steps++;
    assert(steps == 2);
    unsigned some = steps == 2 ? shared.whole : 0;
    assert(some == 265);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    pthread_join(thread, 0);
    assert(shared.byte[0] == 9);
    return 0;
}
