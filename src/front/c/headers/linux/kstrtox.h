#pragma once
/* Numbers in texts that come from outside: any, or none. */
#include <linux/errno.h>
#include <linux/types.h>
#define __kstrto(type, text, into) \
    ({ \
        type *__into = (into); \
        (void)(text); \
        __VERIFIER_nondet_bool() ? -EINVAL : (*__into = (type)__VERIFIER_nondet_int(), 0); \
    })
#define kstrtoint(text, base, into) __kstrto(int, text, into)
#define kstrtouint(text, base, into) __kstrto(unsigned int, text, into)
#define kstrtol(text, base, into) __kstrto(long, text, into)
#define kstrtoul(text, base, into) __kstrto(unsigned long, text, into)
#define kstrtoll(text, base, into) __kstrto(long long, text, into)
#define kstrtoull(text, base, into) __kstrto(unsigned long long, text, into)
#define kstrtos8(text, base, into) __kstrto(s8, text, into)
#define kstrtou8(text, base, into) __kstrto(u8, text, into)
#define kstrtos16(text, base, into) __kstrto(s16, text, into)
#define kstrtou16(text, base, into) __kstrto(u16, text, into)
#define kstrtos32(text, base, into) __kstrto(s32, text, into)
#define kstrtou32(text, base, into) __kstrto(u32, text, into)
#define kstrtobool(text, into) \
    ({ bool *__is = (into); (void)(text); __VERIFIER_nondet_bool() ? -EINVAL : (*__is = __VERIFIER_nondet_bool(), 0); })
