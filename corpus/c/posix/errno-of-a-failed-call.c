//: about The error of a call that failed is one number, and never 0, until the next call
//: check sc holds
//: check tso holds
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t slots;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fd;

static int take(void)
{
    if (sem_trywait(&slots) == -1)
        return -errno;
    return 0;
}

static int sync_file(void)
{
    int error = 0;
    if (fdatasync(fd) < 0) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        assert(errno != 0);
        error = errno ? -errno : 0;
        assert(error < 0);
    }
    return error;
}

static void *worker(void *unused)
{
    assert(errno == 0);
    int taken = take();
    assert(taken <= 0);
    if (taken < 0)
        assert(errno == -taken);
    assert(sync_file() <= 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&slots, 0, 1);
    fd = open("log", O_RDWR);
    if (fd < 0)
        return errno;
    errno = ENOENT;
    pthread_create(&thread, NULL, worker, NULL);
    sem_trywait(&slots);
    pthread_join(thread, NULL);
    int *mine = &errno;
    *mine = EINTR;
    assert(errno == EINTR);
    return 0;
}
