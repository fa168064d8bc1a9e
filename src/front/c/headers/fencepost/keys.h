#pragma once
#include <stddef.h>
/* Values of threads by keys: each thread has one value for each key, null at first. Keys are never used again. */
#define __FENCEPOST_KEYS 16
static unsigned __fencepost_keys;
static _Thread_local void *__fencepost_values[__FENCEPOST_KEYS];
#if defined(NEEDS_pthread_key_delete) || defined(NEEDS_tss_delete)
static int __fencepost_deleted[__FENCEPOST_KEYS];
#define __FENCEPOST_DELETE(key) __atomic_store_n(&__fencepost_deleted[key], 1, __ATOMIC_SEQ_CST)
#define __FENCEPOST_IS_DELETED(key) __atomic_load_n(&__fencepost_deleted[key], __ATOMIC_RELAXED)
#else
#define __FENCEPOST_IS_DELETED(key) 0
#endif
/* At the end of each thread, in the order of the keys: as in glibc and musl, the values of all keys are null after
   that, and those that were not, and have a destructor, are given to it. */
static void __fencepost_end_value(unsigned key, void (*destructor)(void *))
{
    void *value = __fencepost_values[key];
    if (value) {
        __fencepost_values[key] = NULL;
        if (destructor && !__FENCEPOST_IS_DELETED(key))
            destructor(value);
    }
}
#define __FENCEPOST_SETS_VALUE() __fencepost_sets_value()
/* As the C library has it: a locked instruction. */
#define __FENCEPOST_NEW_KEY(destructor) \
    (__atomic_fetch_add(&__fencepost_keys, 1, __ATOMIC_SEQ_CST), __fencepost_new_key(__fencepost_end_value, destructor))
#ifdef NEEDS_pthread_key_create
int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    *key = __FENCEPOST_NEW_KEY(destructor);
    return 0;
}
#endif
#ifdef NEEDS_pthread_key_delete
int pthread_key_delete(unsigned key)
{
    __FENCEPOST_DELETE(key);
    return 0;
}
#endif
#ifdef NEEDS_pthread_setspecific
int pthread_setspecific(unsigned key, const void *value)
{
    __FENCEPOST_SETS_VALUE();
    __fencepost_values[key] = (void *)value;
    return 0;
}
#endif
#ifdef NEEDS_pthread_getspecific
void *pthread_getspecific(unsigned key)
{
    return __fencepost_values[key];
}
#endif
#ifdef NEEDS_tss_create
int tss_create(unsigned *key, void (*destructor)(void *))
{
    *key = __FENCEPOST_NEW_KEY(destructor);
    return 0;
}
#endif
#ifdef NEEDS_tss_delete
void tss_delete(unsigned key)
{
    __FENCEPOST_DELETE(key);
}
#endif
#ifdef NEEDS_tss_set
int tss_set(unsigned key, void *value)
{
    __FENCEPOST_SETS_VALUE();
    __fencepost_values[key] = value;
    return 0;
}
#endif
#ifdef NEEDS_tss_get
void *tss_get(unsigned key)
{
    return __fencepost_values[key];
}
#endif
