//: about Two processes write to a device at once without its lock: one reads what is half written
//: check sc violated
//: check tso violated
// fencepost: thread writes
// fencepost: thread reads
#include <linux/bug.h>
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

static struct { int low, high; } state;
static DEFINE_MUTEX(lock);

static ssize_t device_write(struct file *file, const char __user *from, size_t count, loff_t *at)
{
    int value;
    if (get_user(value, (const int __user *)from))
        return -EFAULT;
    mutex_lock(&lock);
    state.low = value;
    state.high = value;
    mutex_unlock(&lock);
    return count;
}

static int device_show(struct seq_file *file, void *unused)
{
    int low = state.low, high = state.high;
    BUG_ON(low != high);
    seq_printf(file, "%d\n", low);
    return 0;
}

static const struct file_operations operations = { .write = device_write, .read = seq_read, .llseek = seq_lseek };

void writes(void)
{
    loff_t at = 0;
    operations.write(NULL, NULL, 4, &at);
}

void reads(void)
{
    struct seq_file file = { 0 };
    device_show(&file, NULL);
}

// race: `state.low` (lines 21 and 29)
// race: `state.high` (lines 22 and 29)
