//: about A thread uses memory that another one has unmapped
//: check sc violated
//: check tso violated
//: check pso violated
#include <pthread.h>
#include <sys/mman.h>

static int *shared;

static void *thread(void *unused)
{
    shared[1] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    shared = mmap(NULL, 2 * sizeof *shared, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&t, NULL, thread, NULL);
    munmap(shared, 2 * sizeof *shared);
    pthread_join(t, NULL);
    return 0;
}
