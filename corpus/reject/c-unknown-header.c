//: error "unknown header `<windows.h>`"
#include <windows.h>
#include <pthread.h>

static void *thread(void *unused)
{
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
