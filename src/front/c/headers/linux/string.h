#pragma once
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/types.h>
#include <string.h>
/* The size may be left out where the array is known. */
#define __strscpy_2(into, from) __fencepost_strscpy(into, from, sizeof(into))
#define __strscpy_3(into, from, size) __fencepost_strscpy(into, from, size)
#define __strscpy_of(first, second, third, chosen, ...) chosen
#define strscpy(...) __strscpy_of(__VA_ARGS__, __strscpy_3, __strscpy_2, 0)(__VA_ARGS__)
ssize_t __fencepost_strscpy(char *into, const char *from, size_t size);
#define kstrdup(text, flags) ((void)(flags), strdup(text))
#define kstrndup(text, most, flags) ((void)(flags), strndup(text, most))
#define kmemdup(from, count, flags) \
    ({ \
        __auto_type __original = (from); \
        size_t __bytes = (count); \
        __typeof__(__original) __copy = kmalloc(__bytes, flags); \
        if (__copy) \
            memcpy((void *)__copy, __original, __bytes); \
        (void *)__copy; \
    })
