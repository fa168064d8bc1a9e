//: about Memory that is mapped is 0 at first, shared by threads, and gone once it is unmapped
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

struct counters { int count, other; pthread_mutex_t mutex; };
static struct counters *shared;

static void *thread(void *unused)
{
    pthread_mutex_lock(&shared->mutex);
    shared->count++;
    pthread_mutex_unlock(&shared->mutex);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        abort();
    madvise(shared, sizeof *shared, MADV_HUGEPAGE);
    mprotect(shared, sizeof *shared, PROT_READ | PROT_WRITE);
    pthread_mutex_init(&shared->mutex, NULL);
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(shared->count == 2 && shared->other == 0);
    munmap(shared, sizeof *shared);
    return 0;
}
