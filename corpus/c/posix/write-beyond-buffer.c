//: about More bytes are written to a file than the buffer has
//: check sc violated
//: check tso violated
//: check pso violated
#include <pthread.h>
#include <unistd.h>

static char buffer[8];
static volatile int more;

static void *thread(void *unused)
{
    if (more)
        write(STDOUT_FILENO, buffer, sizeof buffer + 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    more = 1;
    pthread_join(t, NULL);
    return 0;
}
