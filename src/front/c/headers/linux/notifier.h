#pragma once
/* Chains of functions, those of high priority first; of the same priority, in the order of their registrations. */
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
struct notifier_block;
typedef int (*notifier_fn_t)(struct notifier_block *block, unsigned long action, void *data);
struct notifier_block { notifier_fn_t notifier_call; struct notifier_block *next; int priority; };
struct raw_notifier_head { struct notifier_block *head; };
struct atomic_notifier_head { spinlock_t lock; struct notifier_block *head; };
struct blocking_notifier_head { struct rw_semaphore rwsem; struct notifier_block *head; };
#define NOTIFY_DONE 0x0000
#define NOTIFY_OK 0x0001
#define NOTIFY_STOP_MASK 0x8000
#define NOTIFY_BAD (NOTIFY_STOP_MASK | 0x0002)
#define NOTIFY_STOP (NOTIFY_OK | NOTIFY_STOP_MASK)
#define notifier_from_errno(error) ((error) ? NOTIFY_STOP_MASK | (NOTIFY_OK - (error)) : NOTIFY_OK)
#define notifier_to_errno(result) \
    ({ int __result = (result) & ~NOTIFY_STOP_MASK; __result > NOTIFY_OK ? NOTIFY_OK - __result : 0; })
#define RAW_NOTIFIER_INIT(name) { (struct notifier_block *)0 }
#define ATOMIC_NOTIFIER_INIT(name) { { 0 }, (struct notifier_block *)0 }
#define BLOCKING_NOTIFIER_INIT(name) { __RWSEM_INITIALIZER(name), (struct notifier_block *)0 }
#define RAW_NOTIFIER_HEAD(name) struct raw_notifier_head name = RAW_NOTIFIER_INIT(name)
#define ATOMIC_NOTIFIER_HEAD(name) struct atomic_notifier_head name = ATOMIC_NOTIFIER_INIT(name)
#define BLOCKING_NOTIFIER_HEAD(name) struct blocking_notifier_head name = BLOCKING_NOTIFIER_INIT(name)
#define RAW_INIT_NOTIFIER_HEAD(chain) ((void)((chain)->head = (struct notifier_block *)0))
#define ATOMIC_INIT_NOTIFIER_HEAD(chain) \
    ({ struct atomic_notifier_head *__chain = (chain); spin_lock_init(&__chain->lock); RAW_INIT_NOTIFIER_HEAD(__chain); })
#define BLOCKING_INIT_NOTIFIER_HEAD(chain) \
    ({ struct blocking_notifier_head *__chain = (chain); init_rwsem(&__chain->rwsem); RAW_INIT_NOTIFIER_HEAD(__chain); })
static int __notifier_register(struct notifier_block **place, struct notifier_block *block)
{
    while (*place) {
        if (*place == block)
            return -EEXIST;
        if (block->priority > (*place)->priority)
            break;
        place = &(*place)->next;
    }
    block->next = *place;
    rcu_assign_pointer(*place, block);
    return 0;
}
static int __notifier_unregister(struct notifier_block **place, struct notifier_block *block)
{
    while (*place) {
        if (*place == block) {
            rcu_assign_pointer(*place, block->next);
            return 0;
        }
        place = &(*place)->next;
    }
    return -ENOENT;
}
static int __notifier_call(struct notifier_block **place, unsigned long action, void *data)
{
    int result = NOTIFY_DONE;
    struct notifier_block *block = rcu_dereference(*place);
    while (block) {
        struct notifier_block *next = rcu_dereference(block->next);
        result = block->notifier_call(block, action, data);
        if (result & NOTIFY_STOP_MASK)
            break;
        block = next;
    }
    return result;
}
#define raw_notifier_chain_register(chain, block) __notifier_register(&(chain)->head, block)
#define raw_notifier_chain_unregister(chain, block) __notifier_unregister(&(chain)->head, block)
#define raw_notifier_call_chain(chain, action, data) __notifier_call(&(chain)->head, action, data)
#define atomic_notifier_chain_register(chain, block) \
    ({ \
        struct atomic_notifier_head *__chain = (chain); \
        spin_lock(&__chain->lock); \
        int __error = __notifier_register(&__chain->head, block); \
        spin_unlock(&__chain->lock); \
        __error; \
    })
#define atomic_notifier_chain_unregister(chain, block) \
    ({ \
        struct atomic_notifier_head *__chain = (chain); \
        spin_lock(&__chain->lock); \
        int __error = __notifier_unregister(&__chain->head, block); \
        spin_unlock(&__chain->lock); \
        synchronize_rcu(); \
        __error; \
    })
#define atomic_notifier_call_chain(chain, action, data) \
    ({ \
        struct atomic_notifier_head *__chain = (chain); \
        rcu_read_lock(); \
        int __result = __notifier_call(&__chain->head, action, data); \
        rcu_read_unlock(); \
        __result; \
    })
#define blocking_notifier_chain_register(chain, block) \
    ({ \
        struct blocking_notifier_head *__chain = (chain); \
        down_write(&__chain->rwsem); \
        int __error = __notifier_register(&__chain->head, block); \
        up_write(&__chain->rwsem); \
        __error; \
    })
#define blocking_notifier_chain_unregister(chain, block) \
    ({ \
        struct blocking_notifier_head *__chain = (chain); \
        down_write(&__chain->rwsem); \
        int __error = __notifier_unregister(&__chain->head, block); \
        up_write(&__chain->rwsem); \
        __error; \
    })
/* It looks first whether there is any. */
#define blocking_notifier_call_chain(chain, action, data) \
    ({ \
        struct blocking_notifier_head *__chain = (chain); \
        int __result = NOTIFY_DONE; \
        if (rcu_access_pointer(__chain->head)) { \
            down_read(&__chain->rwsem); \
            __result = __notifier_call(&__chain->head, action, data); \
            up_read(&__chain->rwsem); \
        } \
        __result; \
    })
