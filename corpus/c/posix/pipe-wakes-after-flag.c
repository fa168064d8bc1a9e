//: about An event loop says that it sleeps, and looks for work once more; who has work writes to a pipe if the loop sleeps. Without a fence both may miss the other's store.
//: check sc holds
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], sleeping, work, missed;

static void *post(void *unused)
{
    __atomic_store_n(&work, 1, __ATOMIC_RELEASE);
    if (__atomic_load_n(&sleeping, __ATOMIC_ACQUIRE))
        write(ends[1], "x", 1);
    else
        missed++;
    return unused;
}

int main(void)
{
    pthread_t poster;
    pipe(ends);
    pthread_create(&poster, NULL, post, NULL);
    __atomic_store_n(&sleeping, 1, __ATOMIC_RELEASE);
    int found = __atomic_load_n(&work, __ATOMIC_ACQUIRE);
    pthread_join(poster, NULL);
    // Nobody has found the work, and nothing wakes the loop.
    assert(found || !missed);
    return 0;
}
