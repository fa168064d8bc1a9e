#pragma once
#include <linux/fs.h>
#include <linux/seq_file.h>
struct proc_ops {
    unsigned int proc_flags;
    int (*proc_open)(struct inode *, struct file *);
    ssize_t (*proc_read)(struct file *, char __user *, size_t, loff_t *);
    ssize_t (*proc_read_iter)(struct kiocb *, struct iov_iter *);
    ssize_t (*proc_write)(struct file *, const char __user *, size_t, loff_t *);
    loff_t (*proc_lseek)(struct file *, loff_t, int);
    int (*proc_release)(struct inode *, struct file *);
    __poll_t (*proc_poll)(struct file *, struct poll_table_struct *);
    long (*proc_ioctl)(struct file *, unsigned int, unsigned long);
    int (*proc_mmap)(struct file *, struct vm_area_struct *);
};
#define __no_entry ((struct proc_dir_entry *)-1024L)
#define __any_entry() (__VERIFIER_nondet_bool() ? __no_entry : (struct proc_dir_entry *)0)
#define proc_mkdir(name, parent) ((void)(name), (void)(parent), __any_entry())
#define proc_create(name, mode, parent, ops) \
    ({ (void)(name), (void)(mode), (void)(parent), (void)(ops); __fencepost_operations(); __any_entry(); })
#define proc_create_data(name, mode, parent, ops, data) ((void)(data), proc_create(name, mode, parent, ops))
#define proc_create_single(name, mode, parent, show) proc_create(name, mode, parent, show)
#define remove_proc_entry(name, parent) ((void)(name), (void)(parent))
#define proc_remove(entry) ((void)(entry))
