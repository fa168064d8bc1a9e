#pragma once
/* A lock that is a bit of a word. */
#include <linux/bitops.h>
#include <linux/preempt.h>
#define bit_spin_lock(bit, addr) \
    ({ \
        preempt_disable(); \
        while (test_and_set_bit_lock(bit, addr)) \
            while (test_bit(bit, addr)) \
                cpu_relax(); \
    })
#define bit_spin_trylock(bit, addr) ({ preempt_disable(); (int)!test_and_set_bit_lock(bit, addr); })
#define bit_spin_unlock(bit, addr) ({ clear_bit_unlock(bit, addr); preempt_enable(); })
#define __bit_spin_unlock(bit, addr) ({ __clear_bit_unlock(bit, addr); preempt_enable(); })
#define bit_spin_is_locked(bit, addr) test_bit(bit, addr)
