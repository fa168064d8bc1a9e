#pragma once
/* Words of BSD for what compilers know. */
#define __BEGIN_DECLS
#define __END_DECLS
#define __P(parameters) parameters
#define __CONCAT1(a, b) a ## b
#define __CONCAT(a, b) __CONCAT1(a, b)
#define __STRING(x) #x
#define __XSTRING(x) __STRING(x)
#define __unused
#define __packed
#define __aligned(n)
#define __section(name)
#define __used
#define __dead2
#define __pure2
#define __weak_symbol __attribute__((__weak__))
#define __always_inline inline
#define __noinline
#define __printflike(format, first)
#define __scanflike(format, first)
#define __FBSDID(text) _Static_assert(1, "")
#define __RCSID(text) _Static_assert(1, "")
#define __COPYRIGHT(text) _Static_assert(1, "")
#define __KERNEL_RCSID(number, text) _Static_assert(1, "")
#define __predict_true(x) ((x) != 0)
#define __predict_false(x) ((x) != 0)
#define __DECONST(type, p) ((type)(p))
#define __DEVOLATILE(type, p) ((type)(p))
#define __DEQUALIFY(type, p) ((type)(p))
#define __containerof(p, type, member) ((type *)__fencepost_container((p), &((type *)0)->member))
#define __arraycount(a) (sizeof(a) / sizeof((a)[0]))
#define __offsetof(type, member) offsetof(type, member)
#define __static_assert _Static_assert
