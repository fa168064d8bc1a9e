//: about Packets come out of a queue in the order in which they went in, each once
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/skbuff.h>

static struct sk_buff_head queue;

static int receives(void *unused)
{
    int last = 0;
    struct sk_buff *packet;
    while ((packet = skb_dequeue(&queue))) {
        BUG_ON(packet->priority != last + 1);
        last = packet->priority;
        kfree_skb(packet);
    }
    return 0;
}

static int __init start(void)
{
    skb_queue_head_init(&queue);
    kthread_run(receives, NULL, "receives");
    for (int i = 1; i <= 2; i++) {
        struct sk_buff *packet = alloc_skb(64, GFP_KERNEL);
        packet->priority = i;
        skb_queue_tail(&queue, packet);
    }
    return 0;
}
module_init(start);
