//: about A thread prints a name while another one changes it
//: check sc nothing
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char name[4] = "abc";

static void *change(void *unused)
{
    name[0] = 'x';
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
    printf("%d %s\n", 1, name);
    pthread_join(thread, 0);
    return 0;
}

// race: `name` (lines 11 and 19)
