//: about A message is as long as another thread says, and one byte more is written
//: check sc violated
//: check tso violated
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>
struct message {
    int length;
    char text[];
};
static _Atomic int wanted;
static struct message *message;
static void *writer(void *unused) {
    int n = wanted;
    struct message *m = malloc(sizeof *m + n);
    m->length = n;
    m->text[n] = 'x';
    message = m;
    return 0;
}
int main(void) {
    pthread_t thread;
    wanted = 3;
    pthread_create(&thread, 0, writer, 0);
    wanted = 2;
    pthread_join(thread, 0);
    assert(message->length);
}
