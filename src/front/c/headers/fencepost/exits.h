#pragma once
/* Handlers for the end of the process, which are called in the opposite order of their registrations. */
#define __FENCEPOST_AT_EXIT(handler) __fencepost_at_exit(__fencepost_call_exit, handler)
#ifdef NEEDS_atexit
static int __fencepost_exits[16];
static void __fencepost_call_exit(int number, void (*handler)(void))
{
    if (__atomic_load_n(&__fencepost_exits[number], __ATOMIC_RELAXED)) {
        __atomic_store_n(&__fencepost_exits[number], 0, __ATOMIC_RELAXED);
        handler();
    }
}
int atexit(void (*handler)(void))
{
    __atomic_store_n(&__fencepost_exits[__FENCEPOST_AT_EXIT(handler)], 1, __ATOMIC_RELAXED);
    return 0;
}
#endif
#ifdef NEEDS_on_exit
/* The status is any one. */
static int __fencepost_on_exits[16];
static void *__fencepost_arguments[16];
static void __fencepost_call_on_exit(int number, void (*handler)(int, void *))
{
    if (__atomic_load_n(&__fencepost_on_exits[number], __ATOMIC_RELAXED)) {
        __atomic_store_n(&__fencepost_on_exits[number], 0, __ATOMIC_RELAXED);
        handler(__VERIFIER_nondet_uchar(), __atomic_load_n(&__fencepost_arguments[number], __ATOMIC_RELAXED));
    }
}
int on_exit(void (*handler)(int, void *), void *argument)
{
    int number = __fencepost_at_exit(__fencepost_call_on_exit, handler);
    __atomic_store_n(&__fencepost_arguments[number], argument, __ATOMIC_RELAXED);
    __atomic_store_n(&__fencepost_on_exits[number], 1, __ATOMIC_RELAXED);
    return 0;
}
#endif
/* What is called at an end may be a function of a library. */
#ifdef NEEDS___fencepost_free
void __fencepost_free(void *block)
{
    free(block);
}
#endif
