#pragma once
/* Counters of 64 bits, which x86-64 reads at once: nothing is synchronised. Additions are not atomic. */
#include <linux/compiler.h>
#include <linux/types.h>
struct u64_stats_sync { char unused; };
typedef struct { u64 value; } u64_stats_t;
#define u64_stats_init(s) ((void)(s))
#define u64_stats_update_begin(s) ((void)(s))
#define u64_stats_update_end(s) ((void)(s))
#define u64_stats_update_begin_irqsave(s) ((void)(s), 0UL)
#define u64_stats_update_end_irqrestore(s, flags) ((void)(s), (void)(flags))
#define u64_stats_fetch_begin(s) ((void)(s), 0u)
#define u64_stats_fetch_retry(s, start) ((void)(s), (void)(start), 0)
#define u64_stats_read(p) READ_ONCE((p)->value)
#define u64_stats_set(p, n) WRITE_ONCE((p)->value, n)
#define u64_stats_add(p, n) ({ u64_stats_t *__sum = (p); WRITE_ONCE(__sum->value, READ_ONCE(__sum->value) + (n)); })
#define u64_stats_inc(p) u64_stats_add(p, 1)
