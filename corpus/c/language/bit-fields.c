//: about A page table entry with bit-fields beside whole members. All stores are under one lock, so none is lost.
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct page {
    unsigned dirty : 1, pinned : 1;
    unsigned references : 6;
    int number;
    signed char level : 3;
};

static struct page *page;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *touch(void *writes)
{
    pthread_mutex_lock(&lock);
    if (writes)
        page->dirty = 1;
    else
        page->pinned = 1;
    page->references++;
    page->level -= 3;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, other;
    page = malloc(sizeof *page);
    *page = (struct page){ .number = 7, .level = 1 };
    pthread_create(&one, NULL, touch, page);
    pthread_create(&other, NULL, touch, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(page->dirty && page->pinned && page->references == 2);
    // 1 - 3 is -2, and -2 - 3 = -5 is 3 in three bits.
    assert(page->level == 3 && page->number == 7);
    free(page);
    return 0;
}
