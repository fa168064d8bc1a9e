//: about Numbers of bytes that are known at run time only: no array is as long as the structure that it is part of
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct symbol { struct symbol *next; char text[6]; short uses[2]; };
static struct symbol pool[2];
static volatile int chosen, pairs;

static void *intern(void *text)
{
    struct symbol *own = malloc(sizeof *own);
    memset(own->uses, 0, pairs * sizeof own->uses[0]);
    memcpy(own->text, text, strlen(text) + 1);
    memcpy(pool[chosen].text, own->text, strlen(own->text) + 1);
    memmove(pool[chosen].uses + 1, own->uses, pairs);
    return own;
}

int main(void)
{
    pthread_t thread;
    pool[1].uses[1] = 7;
    chosen = 1;
    pairs = 2;
    pthread_create(&thread, NULL, intern, "if");
    pthread_join(thread, NULL);
    assert(strcmp(pool[1].text, "if") == 0 && pool[1].next == NULL);
    assert(pool[1].uses[0] == 0 && pool[1].uses[1] == 0);
    assert(pool[0].text[0] == 0);
    return 0;
}
