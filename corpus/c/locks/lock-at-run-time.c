//: about Which of two locks is taken and released is known at run time
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t locks[2];
static int counters[2];
static atomic_int which;

static void *thread(void *unused)
{
    int mine = which;
    pthread_mutex_lock(&locks[mine]);
    counters[mine]++;
    pthread_mutex_unlock(&locks[mine]);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    which = 1;
    thread(NULL);
    pthread_join(t, NULL);
    assert(counters[0] + counters[1] == 2 && counters[1] >= 1);
    return 0;
}
