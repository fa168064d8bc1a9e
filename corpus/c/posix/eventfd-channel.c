//: about A channel of two messages, whose reader waits for a counter of the system.
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int messages[2], wake_up;

static void *send(void *unused)
{
    uint64_t one = 1;
    for (int at = 0; at < 2; at++) {
        messages[at] = at + 10;
        if (write(wake_up, &one, sizeof one) != sizeof one)
            fprintf(stderr, "write: %s\n", strerror(errno));
    }
    return unused;
}

int main(void)
{
    pthread_t sender;
    wake_up = eventfd(0, EFD_CLOEXEC);
    pthread_create(&sender, NULL, send, NULL);
    for (uint64_t received = 0, more; received < 2; received += more) {
        if (read(wake_up, &more, sizeof more) != sizeof more)
            return 1;
        for (uint64_t at = received; at < received + more; at++)
            assert(messages[at] == (int)at + 10);
    }
    pthread_join(sender, NULL);
    close(wake_up);
    return 0;
}
