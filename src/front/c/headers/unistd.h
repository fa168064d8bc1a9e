#pragma once
#include <stddef.h>
#include <sys/types.h>
typedef unsigned int useconds_t;
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_LEVEL1_DCACHE_LINESIZE 190
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
off_t lseek(int, off_t, int);
int ftruncate(int, off_t);
int close(int);
int unlink(const char *);
int fsync(int);
int fdatasync(int);
int isatty(int);
int pipe(int *);
int pipe2(int *, int);
int getopt(int, char *const[], const char *);
extern char *optarg;
extern int optind, opterr, optopt;
