//: check sc holds
//: check tso holds
// The jump back comes with other values in all variables, and so does the next round of the loop.
#include <assert.h>
#include <pthread.h>

int rounds, jumps;

void *routine(void *unused) {
    rounds = 2;
    return 0;
}

int main(void) {
    pthread_t id;
    int kept = 4;
    pthread_create(&id, 0, routine, 0);
    pthread_join(id, 0);
    while (rounds-- > 0) {
        int left = 1;
    again:
        jumps++;
        if (left-- > 0) goto again;
    }
    assert(jumps == 4 && kept == 4);
    return 0;
}
