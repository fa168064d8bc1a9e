//: error "what `sigaction` stores about the earlier handler is not known"
#include <signal.h>
static void handler(int number) { }
int main(void)
{
    struct sigaction now, before;
    now.sa_handler = handler;
    now.sa_flags = 0;
    sigemptyset(&now.sa_mask);
    return sigaction(SIGINT, &now, &before);
}
