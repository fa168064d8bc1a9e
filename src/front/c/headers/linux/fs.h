#pragma once
/* Files and devices. Registering the operations of one may fail. They are then called by user space, of which there is
   none: the verdict says so, and `--thread` names functions that threads execute. */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kdev_t.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/rwsem.h>
#include <linux/semaphore.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <linux/wait.h>
#include <linux/wait_bit.h>
#define O_ACCMODE 3
#ifndef O_RDONLY
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 64
#define O_EXCL 128
#define O_TRUNC 512
#define O_APPEND 1024
#define O_NONBLOCK 2048
#define O_CLOEXEC 524288
#endif
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define FMODE_READ 0x1u
#define FMODE_WRITE 0x2u
#define FMODE_LSEEK 0x4u
#define FMODE_NOWAIT 0x8000000u
#define S_IRUGO 0444
#define S_IWUGO 0222
#define S_IRUSR 0400
#define S_IWUSR 0200
#define IOCB_NOWAIT 0x8
struct module;
struct file;
struct inode;
struct vm_area_struct;
struct fasync_struct;
typedef void *fl_owner_t;
typedef struct poll_table_struct { __poll_t _key; } poll_table;
struct file_operations {
    struct module *owner;
    unsigned int fop_flags;
    loff_t (*llseek)(struct file *, loff_t, int);
    ssize_t (*read)(struct file *, char __user *, size_t, loff_t *);
    ssize_t (*write)(struct file *, const char __user *, size_t, loff_t *);
    ssize_t (*read_iter)(struct kiocb *, struct iov_iter *);
    ssize_t (*write_iter)(struct kiocb *, struct iov_iter *);
    __poll_t (*poll)(struct file *, struct poll_table_struct *);
    long (*unlocked_ioctl)(struct file *, unsigned int, unsigned long);
    long (*compat_ioctl)(struct file *, unsigned int, unsigned long);
    int (*mmap)(struct file *, struct vm_area_struct *);
    int (*open)(struct inode *, struct file *);
    int (*flush)(struct file *, fl_owner_t);
    int (*release)(struct inode *, struct file *);
    int (*fsync)(struct file *, loff_t, loff_t, int);
    int (*fasync)(int, struct file *, int);
};
struct cdev { struct module *owner; const struct file_operations *ops; dev_t dev; unsigned int count; };
struct inode {
    umode_t i_mode;
    dev_t i_rdev;
    unsigned long i_ino;
    loff_t i_size;
    struct rw_semaphore i_rwsem;
    struct cdev *i_cdev;
    void *i_private;
};
struct dentry { struct inode *d_inode; };
struct path { struct dentry *dentry; };
struct file {
    fmode_t f_mode;
    unsigned int f_flags;
    loff_t f_pos;
    struct mutex f_pos_lock;
    const struct file_operations *f_op;
    struct inode *f_inode;
    struct path f_path;
    void *private_data;
};
struct kiocb { struct file *ki_filp; loff_t ki_pos; int ki_flags; };
#define iminor(inode) MINOR((inode)->i_rdev)
#define imajor(inode) MAJOR((inode)->i_rdev)
#define file_inode(file) ((file)->f_inode)
#define i_size_read(inode) READ_ONCE((inode)->i_size)
#define i_size_write(inode, size) smp_store_release(&(inode)->i_size, (size))
#define inode_lock(inode) down_write(&(inode)->i_rwsem)
#define inode_unlock(inode) up_write(&(inode)->i_rwsem)
#define inode_lock_shared(inode) down_read(&(inode)->i_rwsem)
#define inode_unlock_shared(inode) up_read(&(inode)->i_rwsem)
#define fops_get(ops) (ops)
#define fops_put(ops) ((void)(ops))
/* Yields the number that was asked for, which is any one where it was 0. */
#define register_chrdev(major, name, ops) \
    ({ \
        unsigned int __major = (major); \
        (void)(name), (void)(ops); \
        __fencepost_operations(); \
        __VERIFIER_nondet_bool() ? __any_in(-4095, -1) : __major ? 0 : __any_in(1, 511); \
    })
#define unregister_chrdev(major, name) ((void)(major), (void)(name))
#define register_chrdev_region(from, count, name) ((void)(from), (void)(count), (void)(name), __zero_or_error())
#define alloc_chrdev_region(dev, base, count, name) \
    ({ \
        int __region = ((void)(count), (void)(name), __zero_or_error()); \
        if (!__region) \
            *(dev) = MKDEV(__any_in(1, 511), (base)); \
        __region; \
    })
#define unregister_chrdev_region(from, count) ((void)(from), (void)(count))
static int nonseekable_open(struct inode *inode, struct file *file)
{
    file->f_mode &= ~FMODE_LSEEK;
    return 0;
}
static int stream_open(struct inode *inode, struct file *file)
{
    file->f_mode &= ~FMODE_LSEEK;
    return 0;
}
static int simple_open(struct inode *inode, struct file *file)
{
    if (inode->i_private)
        file->private_data = inode->i_private;
    return 0;
}
static loff_t noop_llseek(struct file *file, loff_t offset, int whence)
{
    return file->f_pos;
}
static loff_t no_llseek(struct file *file, loff_t offset, int whence)
{
    return -ESPIPE;
}
