//: about KVM vcpu->mode and requests: the guest is entered with a request pending and nobody interrupts it; fenced at V
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <pthread.h>

enum { OUTSIDE_GUEST_MODE, IN_GUEST_MODE };

struct vcpu {
    int mode;
    atomic_t requests;
};

static struct vcpu vcpu;
static int entered, interrupted;

static void *run(void *arg)
{
    struct vcpu *v = arg;
    WRITE_ONCE(v->mode, IN_GUEST_MODE);
    smp_mb();
    if (!atomic_read(&v->requests))
        entered = 1;
    return NULL;
}

static void *request(void *arg)
{
    struct vcpu *v = arg;
    atomic_or(1, &v->requests);
    if (READ_ONCE(v->mode) == IN_GUEST_MODE)
        interrupted = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, run, &vcpu);
    pthread_create(&b, NULL, request, &vcpu);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!entered || interrupted);
    return 0;
}
