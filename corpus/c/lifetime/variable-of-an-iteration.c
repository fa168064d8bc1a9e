//: about Each thread gets the address of a variable of an iteration, which ends before the thread reads it
//: check sc violated
//: check tso violated
//: check pso violated
#include <pthread.h>

static int sink[2];

static void *thread(void *number)
{
    int own = *(int *)number;
    sink[own] = own;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        int number = i;
        pthread_create(&t[i], NULL, thread, &number);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
// race: `sink` (line 12 in two threads)
// race: `main.number` (lines 11 and 20)
