#pragma once
/* Rings whose size is a power of two. Only the given indices are looked at. */
struct circ_buf { char *buf; int head, tail; };
#define CIRC_CNT(head, tail, size) (((head) - (tail)) & ((size) - 1))
#define CIRC_SPACE(head, tail, size) CIRC_CNT((tail), ((head) + 1), (size))
#define CIRC_CNT_TO_END(head, tail, size) \
    ({ int __end = (size) - (tail), __filled = ((head) + __end) & ((size) - 1); __filled < __end ? __filled : __end; })
#define CIRC_SPACE_TO_END(head, tail, size) \
    ({ \
        int __end = (size) - 1 - (head), __free = (__end + (tail)) & ((size) - 1); \
        __free <= __end ? __free : __end + 1; \
    })
