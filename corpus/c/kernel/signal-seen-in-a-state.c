//: about Waiting for a bit in a state that no signal ends yields 0, and may fail in others
//: check sc holds
//: check tso holds
// fencepost: thread waits
// fencepost: thread clears
#include <linux/bug.h>
#include <linux/wait_bit.h>

static unsigned long word = 1;

void waits(void)
{
    BUG_ON(wait_on_bit(&word, 0, TASK_UNINTERRUPTIBLE));
    BUG_ON(test_bit(0, &word));
}

void clears(void)
{
    clear_and_wake_up_bit(0, &word);
}
