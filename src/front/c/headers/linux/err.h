#pragma once
/* Error numbers as pointers, which are below all addresses. */
#include <linux/compiler.h>
#include <linux/types.h>
#include <errno.h>
#define MAX_ERRNO 4095
#define ERR_PTR(error) ((void *)(long)(error))
#define PTR_ERR(pointer) ((long)(pointer))
#define IS_ERR(pointer) \
    ({ const void *__maybe = (pointer); __maybe >= (const void *)-4095L && __maybe <= (const void *)-1L; })
#define IS_ERR_OR_NULL(pointer) ({ const void *__given = (pointer); !__given || IS_ERR(__given); })
