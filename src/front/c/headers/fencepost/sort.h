/* Functions of libraries that know no more of their elements than a size: for each call a text of its own, so that the
   elements have the type that the caller knows. `__fencepost_given_N` is what is given as argument N. */
#undef __fencepost_is_known
#define __fencepost_is_known(elements, size) \
    __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(elements), void *), 0, \
                          __builtin_choose_expr(__builtin_constant_p(size), sizeof *(elements) == (size), 0))
/* Any conforming order of calls will do. What compares equal may end in any order, and each element is stored once at
   least: libraries copy them. */
#undef __fencepost_sort
#define __fencepost_sort(call) \
    ({ \
        struct { __typeof__(*__sorted) element; } __held; \
        for (__SIZE_TYPE__ __first = 0; __count > 1 && __first < __count; __first++) { \
            __builtin_memcpy(&__held.element, &__sorted[__first], sizeof *__sorted); \
            __builtin_memcpy(&__sorted[__first], &__held.element, sizeof *__sorted); \
            for (__SIZE_TYPE__ __at = __first; __at > 0; __at--) { \
                int __order = call; \
                if (__order < 0 || (__order == 0 && !__VERIFIER_nondet_bool())) \
                    break; \
                __builtin_memcpy(&__held.element, &__sorted[__at], sizeof *__sorted); \
                __builtin_memcpy(&__sorted[__at], &__sorted[__at - 1], sizeof *__sorted); \
                __builtin_memcpy(&__sorted[__at - 1], &__held.element, sizeof *__sorted); \
            } \
        } \
        (void)0; \
    })
#undef __fencepost_unknown
#define __fencepost_unknown() __fencepost_no_elements()
#ifdef NEEDS_qsort
({
    __typeof__((__fencepost_given_1) + 0) __sorted = (__fencepost_given_1);
    __SIZE_TYPE__ __count = (__fencepost_given_2);
    int (*__compare)(const void *, const void *) = (__fencepost_given_4);
    __builtin_choose_expr(__fencepost_is_known(__sorted, __fencepost_given_3),
                          __fencepost_sort(__compare(&__sorted[__at - 1], &__sorted[__at])), __fencepost_unknown());
})
#endif
#ifdef NEEDS_qsort_r
({
    __typeof__((__fencepost_given_1) + 0) __sorted = (__fencepost_given_1);
    __SIZE_TYPE__ __count = (__fencepost_given_2);
    int (*__compare)(const void *, const void *, void *) = (__fencepost_given_4);
    void *__given = (__fencepost_given_5);
    __builtin_choose_expr(__fencepost_is_known(__sorted, __fencepost_given_3),
                          __fencepost_sort(__compare(&__sorted[__at - 1], &__sorted[__at], __given)),
                          __fencepost_unknown());
})
#endif
#ifdef NEEDS_bsearch
({
    const void *__key = (__fencepost_given_1);
    __typeof__((__fencepost_given_2) + 0) __searched = (__fencepost_given_2), __found = 0;
    __SIZE_TYPE__ __low = 0, __high = (__fencepost_given_3);
    int (*__compare)(const void *, const void *) = (__fencepost_given_5);
    __builtin_choose_expr(__fencepost_is_known(__searched, __fencepost_given_4), ({
        while (!__found && __low < __high) {
            __SIZE_TYPE__ __middle = (__low + __high) >> 1;
            int __order = __compare(__key, &__searched[__middle]);
            if (__order < 0)
                __high = __middle;
            else if (__order > 0)
                __low = __middle + 1;
            else
                __found = &__searched[__middle];
        }
        (void)0;
    }), __fencepost_unknown());
    (void *)__found;
})
#endif
