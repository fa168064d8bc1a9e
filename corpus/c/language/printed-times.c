//: about How long something took is only printed: that the computation may leave 32 bits does not matter.
//: check sc holds
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static int done;

static void *run(void *unused)
{
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    return unused;
}

int main(int argc, char **argv)
{
    struct timespec begin, end;
    pthread_t thread;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%s: %ld ns\n", argv[0], (end.tv_sec - begin.tv_sec) * 1000000000L + end.tv_nsec - begin.tv_nsec);
    // A deadline may be computed, too.
    end.tv_sec += 5;
    assert(done && end.tv_sec >= 5 && argc == 1);
    return 0;
}
