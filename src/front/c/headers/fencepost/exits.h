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
/* What is called at an end may be a function of a library. */
#ifdef NEEDS___fencepost_free
void __fencepost_free(void *block)
{
    free(block);
}
#endif
