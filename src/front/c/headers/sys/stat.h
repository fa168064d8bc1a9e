#pragma once
#include <sys/types.h>
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXU 0700
#define S_IFMT 0170000
#define S_IFREG 0100000
#define S_IFDIR 0040000
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
struct stat {
    unsigned long st_dev, st_ino;
    unsigned int st_mode;
    unsigned long st_nlink;
    unsigned int st_uid, st_gid;
    off_t st_size;
    time_t st_mtime;
};
