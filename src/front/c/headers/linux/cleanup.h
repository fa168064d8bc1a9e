#pragma once
/* What is released at the end of a block: `__free`, classes and guards, as in include/linux/cleanup.h. */
#include <linux/compiler.h>
#define __PASTED(a, b) a##b
#define __PASTED_TOO(a, b) __PASTED(a, b)
#define __UNIQUE_ID(prefix) __PASTED_TOO(__unique_##prefix, __COUNTER__)
#define __cleanup(function) __attribute__((__cleanup__(function)))
#ifdef __FENCEPOST_LITMUS
#define DEFINE_FREE(...)
#define DEFINE_CLASS(...)
#define DEFINE_GUARD(...)
#define DEFINE_GUARD_COND(...)
#define DEFINE_LOCK_GUARD_0(...)
#else
#define DEFINE_FREE(name, type, release) \
    static void __free_##name(void *variable) \
    { \
        type _T = *(type *)variable; \
        release; \
    }
#define __free(name) __cleanup(__free_##name)
#define no_free_ptr(variable) \
    ({ \
        __typeof__(variable) __passed_on = (variable); \
        (variable) = (void *)0; \
        __passed_on; \
    })
#define return_ptr(variable) return no_free_ptr(variable)
#define DEFINE_CLASS(name, type, release, initial, ...) \
    typedef type class_##name##_t; \
    static void class_##name##_destructor(type *variable) \
    { \
        type _T = *variable; \
        release; \
    } \
    static type class_##name##_constructor(__VA_ARGS__) \
    { \
        type __made = initial; \
        return __made; \
    }
#define CLASS(name, variable) \
    class_##name##_t variable __cleanup(class_##name##_destructor) = class_##name##_constructor
#define DEFINE_GUARD(name, type, lock, unlock) \
    DEFINE_CLASS(name, type, if (_T) { unlock; }, ({ lock; _T; }), type _T)
#define DEFINE_GUARD_COND(name, suffix, taken) \
    typedef class_##name##_t class_##name##suffix##_t; \
    static void class_##name##suffix##_destructor(class_##name##_t *variable) \
    { \
        class_##name##_destructor(variable); \
    } \
    static class_##name##_t class_##name##suffix##_constructor(class_##name##_t _T) \
    { \
        return (taken) ? _T : (void *)0; \
    }
#define DEFINE_LOCK_GUARD_0(name, lock, unlock, ...) \
    typedef int class_##name##_t; \
    static void class_##name##_destructor(int *variable) \
    { \
        unlock; \
    } \
    static int class_##name##_constructor(void) \
    { \
        lock; \
        return 1; \
    }
#endif
#define guard(name) CLASS(name, __UNIQUE_ID(guard))
#define scoped_guard(name, ...) \
    for (CLASS(name, __guarded)(__VA_ARGS__), *__done = (void *)0; __guarded && !__done; __done = &__guarded)
#define scoped_cond_guard(name, otherwise, ...) \
    for (CLASS(name, __guarded)(__VA_ARGS__), *__done = (void *)0; !__done; __done = &__guarded) \
        if (!__guarded) \
            otherwise; \
        else
