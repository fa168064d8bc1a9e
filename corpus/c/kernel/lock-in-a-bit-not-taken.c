//: about A bit of a word is the lock of the others, and what an attempt to take it yields is not looked at
//: check sc violated
//: check tso violated
//: check pso violated
// fencepost: thread adds:2
#include <linux/bit_spinlock.h>
#include <linux/bug.h>

static unsigned long word;
static int inside;

void adds(void)
{
    bit_spin_trylock(0, &word);
    BUG_ON(inside);
    inside = 1;
    inside = 0;
    bit_spin_unlock(0, &word);
}

// race: `inside` (lines 15 and 17)
