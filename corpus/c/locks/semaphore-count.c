//: about A count that is read, and waited for: each thread adds one
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t done;
static int x[2];
static void *run(void *own) {
    x[(long)own] = 1;
    sem_post(&done);
    return 0;
}
int main(void) {
    pthread_t t[2];
    int count;
    sem_init(&done, 0, 0);
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, run, (void *)i);
    do {
        sem_getvalue(&done, &count);
    } while (count < 2);
    assert(x[0] && x[1]);
}
