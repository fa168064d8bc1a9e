#pragma once
/* Waiting for a bit. All that wait for one are in one queue here, and look again when any of them is woken. */
#include <linux/bitops.h>
#include <linux/wait.h>
extern wait_queue_head_t __fencepost_bits;
/* A signal ends it in the states that let it through. */
#define __wait_on_bit(condition, mode) \
    ({ \
        unsigned int __state = (mode); \
        __wait_event(__fencepost_bits, condition, __state, 0u, __until_woken_or(signal_pending_state(__state, current))) \
            ? 0 : -EINTR; \
    })
#define wait_on_bit(word, bit, mode) __wait_on_bit(!test_bit(bit, word), mode)
#define wait_on_bit_io(word, bit, mode) wait_on_bit(word, bit, mode)
#define wait_on_bit_timeout(word, bit, mode, time) \
    ({ \
        (void)(mode); \
        wait_event_timeout(__fencepost_bits, !test_bit(bit, word), time) ? 0 : -EAGAIN; \
    })
#define wait_on_bit_lock(word, bit, mode) __wait_on_bit(!test_and_set_bit(bit, word), mode)
/* It looks for those that wait first, without a barrier. */
#define wake_up_bit(word, bit) \
    ({ \
        (void)(word), (void)(bit); \
        if (waitqueue_active(&__fencepost_bits)) \
            wake_up_all(&__fencepost_bits); \
    })
#define clear_and_wake_up_bit(bit, word) \
    ({ \
        clear_bit_unlock(bit, word); \
        smp_mb__after_atomic(); \
        wake_up_bit(word, bit); \
    })
#define test_and_clear_wake_up_bit(bit, word) \
    ({ \
        bool __was_set = test_and_clear_bit(bit, word); \
        if (__was_set) \
            wake_up_bit(word, bit); \
        __was_set; \
    })
#define wait_var_event(var, condition) ((void)(var), wait_event(__fencepost_bits, condition))
#define wait_var_event_killable(var, condition) ((void)(var), wait_event_killable(__fencepost_bits, condition))
#define wait_var_event_timeout(var, condition, time) \
    ((void)(var), wait_event_timeout(__fencepost_bits, condition, time))
#define wake_up_var(var) wake_up_bit(var, 0)
