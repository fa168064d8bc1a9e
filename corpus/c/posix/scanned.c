//: about What is scanned is any value, and as many places are stored to as the call returns
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int count;

static void *thread(void *line)
{
    int a = 1, b = 2;
    char name[8] = "abc";
    long size;
    int found = sscanf(line, "%d %d %7s %ld", &a, &b, name, &size);
    if (found < 1)
        assert(a == 1);
    if (found < 2)
        assert(b == 2);
    if (found < 3)
        assert(name[0] == 'a' && name[1] == 'b');
    if (found == 4 && size == 3)
        count = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    char line[8] = "1 2";
    assert(atoi(" 42 ") == 42 && strtol("0x10", NULL, 0) == 16);
    pthread_create(&t, NULL, thread, line);
    pthread_join(t, NULL);
    return 0;
}
