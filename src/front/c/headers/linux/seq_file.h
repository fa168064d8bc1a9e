#pragma once
/* Files that are read as texts. What is printed is not modelled. */
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/slab.h>
struct seq_operations;
struct seq_file { size_t size, count; loff_t index; struct mutex lock; const struct file *file; void *private; };
#define seq_printf(file, ...) ((void)(file), (void)printf(__VA_ARGS__))
#define seq_puts(file, text) ((void)(file), (void)puts(text))
#define seq_putc(file, character) ((void)(file), (void)(character))
static ssize_t seq_read(struct file *file, char __user *to, size_t count, loff_t *at)
{
    __fencepost_operations();
    return __VERIFIER_nondet_bool() ? (ssize_t)__not_copied(count) : __any_in(-4095, -1);
}
static loff_t seq_lseek(struct file *file, loff_t offset, int whence)
{
    return __VERIFIER_nondet_bool() ? file->f_pos : (loff_t)-EINVAL;
}
static int single_release(struct inode *inode, struct file *file)
{
    kfree((struct seq_file *)file->private_data);
    return 0;
}
#define single_open(file, show, data) \
    ({ \
        struct seq_file *__sequence = kzalloc(sizeof(struct seq_file), GFP_KERNEL); \
        (void)(show); \
        __sequence->private = (data); \
        (file)->private_data = __sequence; \
        __fencepost_operations(); \
        0; \
    })
