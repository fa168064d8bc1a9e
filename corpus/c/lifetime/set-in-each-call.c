//: about A variable in memory gets its initial value whenever its function is called
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>

struct pair {
    int first, second;
};

static struct pair *volatile known;
static volatile int rounds = 2;

static void round(int number)
{
    struct pair local = {number};
    known = &local;
    assert(local.first == number && known->second == 0);
    known->second = 7;
}

static void *thread(void *unused)
{
    for (int i = 0; i < rounds; i++)
        round(i);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
