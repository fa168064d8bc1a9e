#pragma once
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>
/* Descriptors through which threads wake each other: counters and pipes. What is read from a pipe are as many bytes as
   were written, with any values; the standard streams take everything, and yield any bytes. Each call that looks at
   such a descriptor takes a lock of the system, by a locked instruction. Descriptors are never used again. */
#define __FENCEPOST_FILES 16
#define __FENCEPOST_FIRST 3
enum { __FENCEPOST_NONE, __FENCEPOST_COUNTER, __FENCEPOST_READER, __FENCEPOST_WRITER };
static struct { int kind, flags, to; } __fencepost_files[__FENCEPOST_FILES];
/* What can be read; of a pipe at its reading end. And whether the other end is closed. */
static int __fencepost_ready[__FENCEPOST_FILES], __fencepost_ended[__FENCEPOST_FILES];
static int __fencepost_opened;
#define __FENCEPOST_IS_FILE(fd) ((fd) >= __FENCEPOST_FIRST && (fd) < __FENCEPOST_FIRST + __FENCEPOST_FILES)
#define __FENCEPOST_TEXT_FROM_OUTSIDE() __fencepost_any_text()
#define __FENCEPOST_CALL() __fencepost_call_number()
#define __FENCEPOST_ANY_BYTE() __fencepost_any_char()
#define __FENCEPOST_HAND_OUT(from, size) __fencepost_hand_out(from, size)
#define __FENCEPOST_ANY_COUNT() __fencepost_any_length()
static int __fencepost_open(int kind, int flags)
{
    int at = __atomic_fetch_add(&__fencepost_opened, 1, __ATOMIC_SEQ_CST);
    __fencepost_files[at].kind = kind;
    __fencepost_files[at].flags = flags;
    return at;
}
/* Takes up to so many of what can be read, and waits for some. 0 at the end of a pipe, -1 if it must not wait. */
static int __fencepost_take(int at, int most)
{
    for (;;) {
        int ready = __atomic_load_n(&__fencepost_ready[at], __ATOMIC_SEQ_CST);
        if (ready) {
            int taken = most && ready > most ? most : ready;
            if (__atomic_compare_exchange_n(&__fencepost_ready[at], &ready, ready - taken, 0, __ATOMIC_SEQ_CST,
                                            __ATOMIC_SEQ_CST))
                return taken;
        } else {
            __atomic_thread_fence(__ATOMIC_SEQ_CST);
            if (__fencepost_files[at].flags & O_NONBLOCK)
                return -1;
            if (__atomic_load_n(&__fencepost_ended[at], __ATOMIC_SEQ_CST))
                return 0;
        }
    }
}
#ifdef NEEDS_eventfd
int eventfd(unsigned int value, int flags)
{
    int at = __fencepost_open(__FENCEPOST_COUNTER, flags);
    __atomic_store_n(&__fencepost_ready[at], (int)value, __ATOMIC_SEQ_CST);
    return at + __FENCEPOST_FIRST;
}
#endif
#if defined(NEEDS_pipe) || defined(NEEDS_pipe2)
static int __fencepost_pipe(int *ends, int flags)
{
    int reader = __fencepost_open(__FENCEPOST_READER, flags);
    int writer = __fencepost_open(__FENCEPOST_WRITER, flags);
    __fencepost_files[writer].to = reader;
    ends[0] = reader + __FENCEPOST_FIRST;
    ends[1] = writer + __FENCEPOST_FIRST;
    return 0;
}
#endif
#ifdef NEEDS_pipe
int pipe(int *ends)
{
    return __fencepost_pipe(ends, 0);
}
#endif
#ifdef NEEDS_pipe2
int pipe2(int *ends, int flags)
{
    return __fencepost_pipe(ends, flags);
}
#endif
#if defined(NEEDS_write) || defined(NEEDS_eventfd_write)
static ssize_t __fencepost_add(int fd, int value, ssize_t size)
{
    int at = fd - __FENCEPOST_FIRST;
    if (__fencepost_files[at].kind == __FENCEPOST_WRITER)
        at = __fencepost_files[at].to;
    __atomic_fetch_add(&__fencepost_ready[at], value, __ATOMIC_SEQ_CST);
    return size;
}
#endif
#ifdef NEEDS_write
ssize_t write(int fd, const void *from, size_t size)
{
    __FENCEPOST_HAND_OUT(from, size);
    if (!__FENCEPOST_IS_FILE(fd))
        return size;
    if (size == 8 && __fencepost_files[fd - __FENCEPOST_FIRST].kind == __FENCEPOST_COUNTER)
        return __fencepost_add(fd, (int)*(const uint64_t *)from, 8);
    return __fencepost_add(fd, (int)size, size);
}
#endif
#ifdef NEEDS_eventfd_write
int eventfd_write(int fd, eventfd_t value)
{
    __fencepost_add(fd, (int)value, 8);
    return 0;
}
#endif
#ifdef NEEDS_read
ssize_t read(int fd, void *into, size_t size)
{
    __FENCEPOST_TEXT_FROM_OUTSIDE();
    int at = fd - __FENCEPOST_FIRST, taken;
    if (size == 8 && __FENCEPOST_IS_FILE(fd) && __fencepost_files[at].kind == __FENCEPOST_COUNTER) {
        taken = __fencepost_take(at, __fencepost_files[at].flags & EFD_SEMAPHORE ? 1 : 0);
        if (taken < 0)
            return __FENCEPOST_FAILS(-1);
        *(uint64_t *)into = taken;
        return 8;
    }
    if (__FENCEPOST_IS_FILE(fd)) {
        taken = __fencepost_take(at, (int)size);
    } else {
        taken = __FENCEPOST_ANY_COUNT();
        if (taken > (int)size)
            taken = -1;
    }
    /* So many bytes may be a counter or the like, of which no byte is stored alone: no such message is known here. */
    if (size == 8)
        __fencepost_assert(taken <= 0 && "messages of 8 bytes in pipes are not supported");
    else
        for (int byte = 0; byte < taken; byte++)
            ((char *)into)[byte] = __FENCEPOST_ANY_BYTE();
    return taken < 0 ? __FENCEPOST_FAILS(-1) : taken;
}
#endif
#if defined(NEEDS_open) || defined(NEEDS_creat)
/* A file, of which nothing is kept. Different calls in the text have different descriptors. */
static int __fencepost_open_file(void)
{
    return __VERIFIER_nondet_bool() ? __FENCEPOST_FAILS(-1) : __FENCEPOST_FIRST + __FENCEPOST_FILES + __FENCEPOST_CALL();
}
#endif
#ifdef NEEDS_open
int open(const char *path, int flags, ...)
{
    return __fencepost_open_file();
}
#endif
#ifdef NEEDS_creat
int creat(const char *path, mode_t mode)
{
    return __fencepost_open_file();
}
#endif
#ifdef NEEDS_pwrite
ssize_t pwrite(int fd, const void *from, size_t size, off_t offset)
{
    __FENCEPOST_HAND_OUT(from, size);
    int written = __FENCEPOST_ANY_COUNT();
    return written > (int)size ? __FENCEPOST_FAILS(-1) : written;
}
#endif
#ifdef NEEDS_pread
ssize_t pread(int fd, void *into, size_t size, off_t offset)
{
    __FENCEPOST_TEXT_FROM_OUTSIDE();
    int taken = __FENCEPOST_ANY_COUNT();
    if (taken > (int)size)
        return __FENCEPOST_FAILS(-1);
    if (size == 8)
        __fencepost_assert(taken <= 0 && "messages of 8 bytes in files are not supported");
    else
        for (int byte = 0; byte < taken; byte++)
            ((char *)into)[byte] = __FENCEPOST_ANY_BYTE();
    return taken;
}
#endif
#ifdef NEEDS_eventfd_read
int eventfd_read(int fd, eventfd_t *value)
{
    int at = fd - __FENCEPOST_FIRST;
    int taken = __fencepost_take(at, __fencepost_files[at].flags & EFD_SEMAPHORE ? 1 : 0);
    if (taken < 0)
        return __FENCEPOST_FAILS(-1);
    *value = taken;
    return 0;
}
#endif
#ifdef NEEDS_close
int close(int fd)
{
    if (__FENCEPOST_IS_FILE(fd)) {
        int at = fd - __FENCEPOST_FIRST;
        if (__fencepost_files[at].kind == __FENCEPOST_WRITER)
            at = __fencepost_files[at].to;
        __atomic_store_n(&__fencepost_ended[at], 1, __ATOMIC_SEQ_CST);
    }
    return 0;
}
#endif
#ifdef NEEDS_poll
static int __fencepost_poll_once(struct pollfd *all, nfds_t count)
{
    int found = 0;
    for (nfds_t one = 0; one < count; one++) {
        int fd = all[one].fd, at = fd - __FENCEPOST_FIRST;
        all[one].revents = 0;
        if (!__FENCEPOST_IS_FILE(fd))
            continue;
        if (__fencepost_files[at].kind == __FENCEPOST_WRITER)
            all[one].revents = all[one].events & POLLOUT;
        else if (__atomic_load_n(&__fencepost_ready[at], __ATOMIC_SEQ_CST))
            all[one].revents = all[one].events & POLLIN;
        else if (__fencepost_files[at].kind == __FENCEPOST_READER && __atomic_load_n(&__fencepost_ended[at], __ATOMIC_SEQ_CST))
            all[one].revents = POLLHUP;
        if (all[one].revents)
            found++;
    }
    return found;
}
int poll(struct pollfd *all, nfds_t count, int timeout)
{
    int found;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    do
        found = __fencepost_poll_once(all, count);
    while (!found && timeout < 0);
    return found;
}
#endif
#ifdef NEEDS___fencepost_fcntl
int __fencepost_fcntl(int fd, int command, int value, ...)
{
    if (command == F_GETFL && __FENCEPOST_IS_FILE(fd))
        return __fencepost_files[fd - __FENCEPOST_FIRST].flags;
    if (command == F_SETFL && __FENCEPOST_IS_FILE(fd))
        __fencepost_files[fd - __FENCEPOST_FIRST].flags = value;
    return 0;
}
#endif
