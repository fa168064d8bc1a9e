#pragma once
/* Waiting for one of several files: nothing waits here, so `poll_wait` adds the thread to no queue. */
#include <linux/fs.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#define EPOLLIN 0x1u
#define EPOLLPRI 0x2u
#define EPOLLOUT 0x4u
#define EPOLLERR 0x8u
#define EPOLLHUP 0x10u
#define EPOLLRDNORM 0x40u
#define EPOLLRDBAND 0x80u
#define EPOLLWRNORM 0x100u
#define EPOLLWRBAND 0x200u
#define EPOLLRDHUP 0x2000u
#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16
#define POLLNVAL 32
#define POLLRDNORM 64
#define POLLWRNORM 256
#define poll_wait(file, queue, table) ((void)(file), (void)(queue), (void)(table))
