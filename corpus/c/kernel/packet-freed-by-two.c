//: about Two threads take packets from a queue without its lock: one of them is freed twice
//: check sc violated
//: check tso violated
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/skbuff.h>

static struct sk_buff_head queue;

static int receives(void *unused)
{
    struct sk_buff *packet = __skb_dequeue(&queue);
    if (packet)
        kfree_skb(packet);
    return 0;
}

static int __init start(void)
{
    skb_queue_head_init(&queue);
    skb_queue_tail(&queue, alloc_skb(64, GFP_KERNEL));
    kthread_run(receives, NULL, "first");
    kthread_run(receives, NULL, "second");
    return 0;
}
module_init(start);

// race: `queue.list.next` and `queue.qlen` (line 12 in two threads)
// race: `queue.list.prev`, `sk_buff#1.list.next` and `sk_buff#1.list.prev` (line 12 in two threads)
