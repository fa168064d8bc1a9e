//: about Adjacent bit-fields are one memory location (C17, 3.14): a store to one may undo that of another thread to the other.
//: check sc violated
#include <assert.h>
#include <pthread.h>

static struct { unsigned dirty : 1, pinned : 1; } page;

static void *pin(void *unused)
{
    page.pinned = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, pin, NULL);
    page.dirty = 1;
    pthread_join(thread, NULL);
    assert(page.dirty && page.pinned);
    return 0;
}
// race: `page.dirty|pinned` (lines 10 and 18)
