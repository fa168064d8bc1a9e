#pragma once
/* Error numbers as pointers, which are below all addresses. */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/types.h>
#define MAX_ERRNO 4095
#define ERR_PTR(error) ((void *)(long)(error))
#define PTR_ERR(pointer) ((long)(pointer))
#define IS_ERR(pointer) \
    ({ const void *__maybe = (pointer); __maybe >= (const void *)-4095L && __maybe <= (const void *)-1L; })
#define IS_ERR_OR_NULL(pointer) ({ const void *__given = (pointer); !__given || IS_ERR(__given); })
#define IS_ERR_VALUE(value) ((unsigned long)(long)(value) >= (unsigned long)-4095L)
#define ERR_CAST(pointer) ((void *)(pointer))
#define PTR_ERR_OR_ZERO(pointer) ({ const void *__either = (pointer); IS_ERR(__either) ? (int)PTR_ERR(__either) : 0; })
