#pragma once
/* Whether there were too many messages is any answer. */
#include <linux/printk.h>
struct ratelimit_state { int interval, burst; };
#define DEFINE_RATELIMIT_STATE(name, length, most) struct ratelimit_state name = { (length), (most) }
#define ratelimit_state_init(state, length, most) \
    ({ struct ratelimit_state *__made = (state); __made->interval = (length); __made->burst = (most); })
#define __ratelimit(state) ((void)(state), (int)__VERIFIER_nondet_bool())
#define printk_ratelimit() ((int)__VERIFIER_nondet_bool())
