//: about A text is freed while another thread prints it
//: check sc violated
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *print(void *text)
{
    printf("%s\n", (char *)text);
    return 0;
}

int main(void)
{
    pthread_t thread;
    char *text = malloc(2);
    text[0] = 'a';
    text[1] = 0;
    pthread_create(&thread, 0, print, text);
    free(text);
    pthread_join(thread, 0);
    return 0;
}
