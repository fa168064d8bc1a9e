//: about A recursive mutex: a function that locks it calls another one that does
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct account {
    pthread_mutex_t lock;
    int balance;
    int changes;
};

static struct account account = { .balance = 3 };

static void change(struct account *a, int amount)
{
    pthread_mutex_lock(&a->lock);
    a->balance += amount;
    a->changes++;
    pthread_mutex_unlock(&a->lock);
}

static int withdraw(struct account *a, int amount)
{
    int enough;

    pthread_mutex_lock(&a->lock);
    enough = a->balance >= amount;
    if (enough)
        change(a, -amount);
    assert(a->balance >= 0);
    pthread_mutex_unlock(&a->lock);
    return enough;
}

static void *customer(void *unused)
{
    withdraw(&account, 2);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t recursive;
    pthread_t one, other;

    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&account.lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    pthread_create(&one, NULL, customer, NULL);
    pthread_create(&other, NULL, customer, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(account.balance == 1 && account.changes == 1);
    pthread_mutex_destroy(&account.lock);
    return 0;
}
