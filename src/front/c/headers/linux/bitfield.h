#pragma once
/* Fields of words, which constant masks name. */
#include <linux/build_bug.h>
#include <linux/types.h>
#define __bf_shf(mask) (__builtin_ffsll(mask) - 1)
#define FIELD_MAX(mask) ((__typeof__(mask))((mask) >> __bf_shf(mask)))
#define FIELD_FIT(mask, value) (!(((__typeof__(mask))(value) << __bf_shf(mask)) & ~(mask)))
#define FIELD_PREP(mask, value) ((__typeof__(mask))(((__typeof__(mask))(value) << __bf_shf(mask)) & (mask)))
#define FIELD_GET(mask, word) ((__typeof__(mask))(((word) & (mask)) >> __bf_shf(mask)))
