//: about Handles of threads are compared
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
pthread_t m;
void *t(void *u) { assert(!pthread_equal(pthread_self(), m)); return 0; }
int main(void) {
    pthread_t a;
    m = pthread_self();
    pthread_create(&a, 0, t, 0);
    pthread_join(a, 0);
}
