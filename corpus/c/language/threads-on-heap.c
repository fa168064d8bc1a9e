//: about Handles of threads in memory of the heap
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#define N 3
pthread_t *threads;
pthread_mutex_t m;
int sum;
int param[N];
void *t(void *p) { int v = *(int *)p; pthread_mutex_lock(&m); sum += v; pthread_mutex_unlock(&m); return 0; }
int main(int argc, char **argv) {
    threads = malloc(N * sizeof(pthread_t));
    for (int i = 0; i < N; i++) param[i] = i + 1;
    for (int i = 0; i < N; i++) if (pthread_create(&threads[i], NULL, t, (void *)&param[i])) { perror("x"); exit(1); }
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    printf("%d\n", sum);
    assert(sum == 6);
}
