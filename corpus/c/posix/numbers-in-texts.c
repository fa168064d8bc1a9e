//: about numbers in texts that are known: signs, prefixes, bases, and where they end
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char setting[8];

static void *writer(void *decimal)
{
    strcpy(setting, decimal ? "  42" : "-0x1f");
    return NULL;
}

int main(void)
{
    pthread_t a;
    char *end;
    pthread_create(&a, NULL, writer, setting);
    pthread_join(a, NULL);
    assert(atoi(setting) == 42);
    pthread_create(&a, NULL, writer, NULL);
    pthread_join(a, NULL);
    assert(strtol(setting, &end, 0) == -31 && *end == 0);
    assert(strtol("12ab", &end, 10) == 12 && !strcmp(end, "ab"));
    assert(strtoul("777", NULL, 8) == 511);
    assert(strtol("zz", &end, 10) == 0 && *end == 'z');
    assert(strtol("0x", &end, 16) == 0 && *end == 'x');
    assert(strtol("+10 ", &end, 2) == 2 && *end == ' ');
    assert(strtol("0x1f", &end, 10) == 0 && *end == 'x');
    assert(strtol("0xg", NULL, 16) == 0 && strtol("017", NULL, 0) == 15 && strtol("08", NULL, 0) == 0);
    assert(strtol("z", NULL, 36) == 35 && strtol(" \t-17x", &end, 10) == -17 && *end == 'x');
    return 0;
}
