//: about A job and its argument, passed on as `void *`, and a copy of a string: no type is written at any allocation
//: check sc holds
//: check tso holds
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct job {
    void (*run)(void *);
    void *argument;
};
static void *zalloc(size_t n) {
    void *p = malloc(n);
    if (p) memset(p, 0, n);
    return p;
}
static char *copy(const char *s) {
    size_t n = strlen(s) + 1;
    char *p = malloc(n);
    memcpy(p, s, n);
    return p;
}
static struct job *_Atomic queue;
static int done;
static void increment(void *argument) {
    int *x = argument;
    done = *x + 1;
}
static void *worker(void *unused) {
    struct job *job;
    while (!(job = atomic_load(&queue)))
        ;
    job->run(job->argument);
    free(job->argument);
    free(job);
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    struct job *job = zalloc(sizeof *job);
    job->argument = zalloc(sizeof(int));
    job->run = increment;
    *(int *)job->argument = 41;
    atomic_store(&queue, job);
    char *text = copy("ab");
    assert(text[1] == 'b' && text[2] == 0);
    pthread_join(thread, 0);
    assert(done == 42);
    free(text);
}
