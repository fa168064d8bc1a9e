#pragma once
#include <stddef.h>
/* Values of threads by keys: each thread has one value for each key, null at first. Keys are never used again. */
#define __FENCEPOST_KEYS 16
static unsigned __fencepost_keys;
static _Thread_local void *__fencepost_values[__FENCEPOST_KEYS];
/* As the C library has it: a locked instruction. */
#define __FENCEPOST_NEW_KEY(destructor) \
    (__fencepost_no_destructor(destructor), __atomic_fetch_add(&__fencepost_keys, 1, __ATOMIC_SEQ_CST))
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
    return 0;
}
#endif
#ifdef NEEDS_pthread_setspecific
int pthread_setspecific(unsigned key, const void *value)
{
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
}
#endif
#ifdef NEEDS_tss_set
int tss_set(unsigned key, void *value)
{
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
