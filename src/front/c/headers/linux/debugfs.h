#pragma once
/* Directories are addresses of nothing that is looked at. */
#include <linux/fs.h>
#include <linux/seq_file.h>
#define __no_dentry ((struct dentry *)-1024L)
#define __any_dentry() (__VERIFIER_nondet_bool() ? __no_dentry : (struct dentry *)ERR_PTR(-ENOMEM))
#define debugfs_create_dir(name, parent) ((void)(name), (void)(parent), __any_dentry())
#define debugfs_create_file(name, mode, parent, data, ops) \
    ({ \
        (void)(name), (void)(mode), (void)(parent), (void)(data), (void)(ops); \
        __fencepost_operations(); \
        __any_dentry(); \
    })
#define debugfs_create_file_unsafe(name, mode, parent, data, ops) debugfs_create_file(name, mode, parent, data, ops)
#define debugfs_remove(entry) ((void)(entry))
#define debugfs_remove_recursive(entry) ((void)(entry))
