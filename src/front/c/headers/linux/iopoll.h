#pragma once
/* The register is read once, when it has the value or the time is over: that other threads do something before is among
   the executions. Without a limit, it is read until it has. */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/io.h>
#define read_poll_timeout(op, value, condition, pause, limit, sleeps_first, ...) \
    ({ \
        unsigned long __limit = (limit); \
        (void)(pause), (void)(sleeps_first); \
        do { \
            (value) = op(__VA_ARGS__); \
        } while (!__limit && !(condition)); \
        (condition) ? 0 : -ETIMEDOUT; \
    })
#define read_poll_timeout_atomic(op, value, condition, pause, limit, sleeps_first, ...) \
    read_poll_timeout(op, value, condition, pause, limit, sleeps_first, __VA_ARGS__)
#define readx_poll_timeout(op, addr, value, condition, pause, limit) \
    read_poll_timeout(op, value, condition, pause, limit, 0, addr)
#define readb_poll_timeout(addr, value, condition, pause, limit) \
    readx_poll_timeout(readb, addr, value, condition, pause, limit)
#define readw_poll_timeout(addr, value, condition, pause, limit) \
    readx_poll_timeout(readw, addr, value, condition, pause, limit)
#define readl_poll_timeout(addr, value, condition, pause, limit) \
    readx_poll_timeout(readl, addr, value, condition, pause, limit)
#define readl_poll_timeout_atomic(addr, value, condition, pause, limit) \
    readx_poll_timeout(readl, addr, value, condition, pause, limit)
#define readl_relaxed_poll_timeout(addr, value, condition, pause, limit) \
    readx_poll_timeout(readl_relaxed, addr, value, condition, pause, limit)
