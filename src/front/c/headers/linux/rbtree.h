#pragma once
/* Ordered trees, which are not balanced here: their shape is that of the insertions. All else is as in Linux. */
#include <linux/container_of.h>
#include <linux/rcupdate.h>
#include <linux/stddef.h>
#include <linux/types.h>
struct rb_node { struct rb_node *__rb_parent, *rb_right, *rb_left; };
struct rb_root { struct rb_node *rb_node; };
struct rb_root_cached { struct rb_root rb_root; struct rb_node *rb_leftmost; };
#define RB_ROOT (struct rb_root){ (struct rb_node *)0 }
#define RB_ROOT_CACHED (struct rb_root_cached){ { (struct rb_node *)0 }, (struct rb_node *)0 }
#define RB_EMPTY_ROOT(root) (READ_ONCE((root)->rb_node) == (struct rb_node *)0)
#define RB_EMPTY_NODE(node) ((node)->__rb_parent == (node))
#define RB_CLEAR_NODE(node) ((node)->__rb_parent = (node))
#define rb_parent(node) ((node)->__rb_parent)
#define rb_entry(node, type, member) container_of(node, type, member)
#define rb_entry_safe(node, type, member) \
    ({ \
        struct rb_node *__node = (node); \
        __node ? rb_entry(__node, type, member) : (type *)0; \
    })
struct rb_node *rb_first(const struct rb_root *root);
struct rb_node *rb_last(const struct rb_root *root);
struct rb_node *rb_next(const struct rb_node *node);
struct rb_node *rb_prev(const struct rb_node *node);
void rb_erase(struct rb_node *node, struct rb_root *root);
void rb_replace_node(struct rb_node *victim, struct rb_node *node, struct rb_root *root);
static inline void __rb_link_node(struct rb_node *node, struct rb_node *parent, struct rb_node **link)
{
    node->__rb_parent = parent;
    node->rb_left = node->rb_right = (struct rb_node *)0;
    *link = node;
}
static inline void __rb_link_node_rcu(struct rb_node *node, struct rb_node *parent, struct rb_node **link)
{
    node->__rb_parent = parent;
    node->rb_left = node->rb_right = (struct rb_node *)0;
    rcu_assign_pointer(*link, node);
}
#define rb_link_node(node, parent, link) __rb_link_node(node, parent, link)
#define rb_link_node_rcu(node, parent, link) __rb_link_node_rcu(node, parent, link)
#define rb_insert_color(node, root) ((void)(node), (void)(root))
#define rb_first_cached(root) ((root)->rb_leftmost)
#define rb_insert_color_cached(node, root, leftmost) \
    ({ \
        if (leftmost) \
            (root)->rb_leftmost = (node); \
    })
#define rb_erase_cached(node, root) \
    ({ \
        struct rb_node *__erased = (node); \
        struct rb_root_cached *__tree = (root); \
        if (__tree->rb_leftmost == __erased) \
            __tree->rb_leftmost = rb_next(__erased); \
        rb_erase(__erased, &__tree->rb_root); \
    })
