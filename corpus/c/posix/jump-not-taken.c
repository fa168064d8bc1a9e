//: about A jump that is prepared, and cancellation that is set up: neither is reached
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

void error(int status, int number, const char *format, ...);

static jmp_buf start;
static int x;

static void fail(void)
{
    longjmp(start, 1);
}

static void *thread(void *unused)
{
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    pthread_testcancel();
    x = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    if (setjmp(start) != 0) {
        fail();
        return 1;
    }
    pthread_create(&t, NULL, thread, NULL);
    int result = pthread_join(t, NULL);
    if (result)
        error(1, result, "thread %d", 1);
    error(0, 0, "joined");
    assert(x == 1);
    return 0;
}
