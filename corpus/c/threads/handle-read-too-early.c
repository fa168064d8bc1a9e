//: about A thread stores its own handle, and another one may look before
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t owner;
static void *own(void *unused) {
    pthread_mutex_lock(&m);
    owner = pthread_self();
    pthread_mutex_unlock(&m);
    return 0;
}
static void *look(void *other) {
    pthread_mutex_lock(&m);
    assert(owner != 0);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, own, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
