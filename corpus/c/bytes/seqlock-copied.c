//: about A seqlock whose data is a structure copied by memcpy; under PSO the counter and the data need fences
//: check tso holds
//: check pso violated
//: fence pso assertions 2
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct sample { int x, y; };

static volatile unsigned sequence;
static struct sample shared;

static void *writer(void *unused)
{
    struct sample new = { 5, 5 };
    sequence = 1;
    memcpy(&shared, &new, sizeof shared);
    sequence = 2;
    return NULL;
}

static void *reader(void *unused)
{
    struct sample own;
    unsigned before = sequence;
    memcpy(&own, &shared, sizeof own);
    if (before == sequence && before % 2 == 0)
        assert(own.x == own.y);
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

// race: `shared.x` and `shared.y` (lines 18 and 27)
