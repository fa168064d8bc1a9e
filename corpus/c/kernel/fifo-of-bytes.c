//: about What a queue of bytes holds, is full with, and yields
//: check sc holds
#include <linux/bug.h>
#include <linux/kfifo.h>
static DEFINE_SPINLOCK(lock);
struct dev { DECLARE_KFIFO(fifo, unsigned char, 4); } dev;
int main(void)
{
    unsigned char a[3] = {1,2,3}, b[4], c;
    INIT_KFIFO(dev.fifo);
    BUG_ON(kfifo_in(&dev.fifo, a, 3) != 3);
    BUG_ON(kfifo_in_spinlocked(&dev.fifo, a, 3, &lock) != 1);
    BUG_ON(!kfifo_is_full(&dev.fifo) || kfifo_len(&dev.fifo) != 4);
    BUG_ON(kfifo_out(&dev.fifo, b, 2) != 2 || b[0] != 1 || b[1] != 2);
    BUG_ON(!kfifo_peek(&dev.fifo, &c) || c != 3);
    BUG_ON(!kfifo_put(&dev.fifo, 9));
    BUG_ON(kfifo_out(&dev.fifo, b, 4) != 3 || b[0] != 3 || b[1] != 1 || b[2] != 9);
    BUG_ON(kfifo_get(&dev.fifo, &c));
    return 0;
}
