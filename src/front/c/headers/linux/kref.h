#pragma once
/* Objects that live as long as something refers to them. */
#include <linux/refcount.h>
struct kref { refcount_t refcount; };
#define KREF_INIT(n) { REFCOUNT_INIT(n) }
#define kref_init(k) refcount_set(&(k)->refcount, 1)
#define kref_read(k) refcount_read(&(k)->refcount)
#define kref_get(k) refcount_inc(&(k)->refcount)
#define kref_get_unless_zero(k) refcount_inc_not_zero(&(k)->refcount)
/* `drop` tells whether the reference was the last one, which ends with `release`. */
#define __kref_put(k, release, drop) \
    ({ \
        struct kref *__put = (k); \
        int __was_last = (drop); \
        if (__was_last) \
            release(__put); \
        __was_last; \
    })
#define kref_put(k, release) __kref_put(k, release, refcount_dec_and_test(&__put->refcount))
#define kref_put_mutex(k, release, m) __kref_put(k, release, refcount_dec_and_mutex_lock(&__put->refcount, m))
#define kref_put_lock(k, release, l) __kref_put(k, release, refcount_dec_and_lock(&__put->refcount, l))
