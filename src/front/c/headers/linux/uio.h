#pragma once
/* What user space reads and writes, in any number of parts. */
#include <linux/types.h>
#include <linux/uaccess.h>
struct iov_iter { size_t count; };
#define iov_iter_count(iter) ((iter)->count)
#define __advance(iter, size) \
    ({ \
        struct iov_iter *__iter = (iter); \
        size_t __wanted = (size), __most = __wanted < __iter->count ? __wanted : __iter->count; \
        size_t __done = __not_copied(__most); \
        __iter->count -= __done; \
        __done; \
    })
#define copy_from_iter(to, size, iter) \
    ({ size_t __size = (size); __fencepost_any_bytes((to), 0, __size); __advance(iter, __size); })
#define copy_to_iter(from, size, iter) \
    ({ size_t __size = (size); __fencepost_hand_out((from), __size); __advance(iter, __size); })
