//: about What is written to files is read, also where a function passes it on
//: check sc holds
//: check tso holds
//: check pso holds
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

struct message { int kind; char text[4]; };
static struct message first, second, third;
static struct message *volatile shared = &third;
static volatile int size;

static void send_all(const void *bytes, size_t count)
{
    write(STDOUT_FILENO, bytes, count);
}

static void *thread(void *unused)
{
    struct message *m = shared;
    first.text[1] = 1;
    second.kind = 1;
    m->text[3] = 1;
    m->kind = 2;
    size = sizeof m->kind;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    send_all(&first, sizeof first);
    fwrite(&second, sizeof second, 1, stdout);
    send_all(shared, size);
    pthread_join(t, NULL);
    return 0;
}
// race: `first.text` (lines 16 and 22)
// race: `second.kind` (lines 23 and 35)
// race: `third.kind` (lines 16 and 25)
