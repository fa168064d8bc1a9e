//: about An object is passed on without a reference of its own
//: check sc violated
//: check tso violated
#include <linux/bug.h>
#include <linux/kobject.h>
#include <linux/kthread.h>
#include <linux/module.h>

struct node { struct kobject object; int value; };

static void release(struct kobject *object)
{
    struct node *node = container_of(object, struct node, object);
    BUG_ON(node->value != 7);
    kfree(node);
}

static const struct kobj_type type = { .release = release };

static int uses(void *given)
{
    struct node *node = given;
    BUG_ON(node->value != 7);
    kobject_put(&node->object);
    return 0;
}

static int __init start(void)
{
    struct node *node = kzalloc(sizeof(*node), GFP_KERNEL);
    kobject_init(&node->object, &type);
    node->value = 7;
    kthread_run(uses, node, "uses");
    kobject_put(&node->object);
    return 0;
}
module_init(start);
