//: about Two threads intern the same names: each is copied into its entry, as long as it is
//: check sc holds
//: check tso holds
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
struct sym { struct sym *next; char text[4]; };
static struct sym *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const char *intern(const char *s)
{
    struct sym *y;
    pthread_mutex_lock(&m);
    for (y = head; y; y = y->next)
        if (strcmp(y->text, s) == 0)
            break;
    if (!y) {
        size_t len = strlen(s);
        y = malloc(sizeof *y);
        memcpy(y->text, s, len + 1);
        y->next = head;
        head = y;
    }
    pthread_mutex_unlock(&m);
    return y->text;
}
struct lexer { const char *words[2]; const char *ids[2]; };
static void *lex(void *p)
{
    struct lexer *l = p;
    for (int i = 0; i < 2; i++)
        l->ids[i] = intern(l->words[i]);
    return NULL;
}
int main(void)
{
    struct lexer a = { { "if", "do" } }, b = { { "do", "if" } };
    pthread_t t;
    pthread_create(&t, NULL, lex, &a);
    lex(&b);
    pthread_join(t, NULL);
    assert(a.ids[0] == b.ids[1]);
    return 0;
}
