//: about Workers in any number, each with a mutex, and joined; `main` does nothing more after that
//: any number
//: check sc holds
//: check tso holds
//: robust tso yes

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define N 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turn;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    int mine = turn;
    turn = !mine;
    assert(turn != mine);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        if (pthread_create(&threads[i], NULL, worker, NULL))
            abort();
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    printf("done\n");
    return 0;
}
