//: about A device that one process at a time may open, by a bit: both operations are executed by two threads
//: check sc holds
//: check tso holds
//: check pso holds
// fencepost: thread session:2
#include <linux/cdev.h>
#include <linux/fs.h>
#include <linux/module.h>

static unsigned long busy;
static int length;

static int device_open(struct inode *inode, struct file *file)
{
    if (test_and_set_bit(0, &busy))
        return -EBUSY;
    return nonseekable_open(inode, file);
}

static int device_release(struct inode *inode, struct file *file)
{
    length = 0;
    clear_bit_unlock(0, &busy);
    return 0;
}

static ssize_t device_write(struct file *file, const char __user *from, size_t count, loff_t *at)
{
    length = count;
    return count;
}

static const struct file_operations operations = {
    .owner = THIS_MODULE,
    .open = device_open,
    .release = device_release,
    .write = device_write,
    .llseek = noop_llseek,
};

void session(void)
{
    struct inode inode = { 0 };
    struct file file = { .f_op = &operations };
    loff_t at = 0;
    if (operations.open(&inode, &file))
        return;
    BUG_ON(length != 0);
    if (operations.write(&file, NULL, 2, &at) == 2)
        BUG_ON(length != 2);
    operations.release(&inode, &file);
}
