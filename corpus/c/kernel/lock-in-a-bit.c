//: about A bit of a word is the lock of the others, and an attempt to take it may fail
//: check sc holds
//: check tso holds
//: check pso holds
// fencepost: thread adds:2
#include <linux/bit_spinlock.h>
#include <linux/bug.h>

static unsigned long word;
static int inside;

void adds(void)
{
    if (!bit_spin_trylock(0, &word))
        bit_spin_lock(0, &word);
    BUG_ON(inside);
    inside = 1;
    inside = 0;
    bit_spin_unlock(0, &word);
}
