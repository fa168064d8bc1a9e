//: about A mutex in allocated memory is initialised by `pthread_mutex_init`
//: check sc nothing
//: check tso nothing
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t mutex;
    int balance;
};

static struct account *account;

static void *thread(void *unused)
{
    pthread_mutex_lock(&account->mutex);
    account->balance += 1;
    pthread_mutex_unlock(&account->mutex);
    return NULL;
}

int main(void)
{
    pthread_t t;
    account = malloc(sizeof *account);
    pthread_mutex_init(&account->mutex, NULL);
    account->balance = 0;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
