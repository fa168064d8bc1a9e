//: about Waiting for a bit fails where a fatal signal comes
//: check sc violated
//: check tso violated
// fencepost: thread waits
// fencepost: thread clears
#include <linux/bug.h>
#include <linux/wait_bit.h>

static unsigned long word = 1;

void waits(void)
{
    BUG_ON(wait_on_bit(&word, 0, TASK_KILLABLE));
    BUG_ON(test_bit(0, &word));
}

void clears(void)
{
    clear_and_wake_up_bit(0, &word);
}
