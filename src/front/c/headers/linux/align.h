#pragma once
/* `to` is a power of two. */
#define ALIGN(x, to) (((x) + ((__typeof__(x))(to) - 1)) & ~((__typeof__(x))(to) - 1))
#define ALIGN_DOWN(x, to) ((x) & ~((__typeof__(x))(to) - 1))
#define IS_ALIGNED(x, to) (((x) & ((__typeof__(x))(to) - 1)) == 0)
