#pragma once
#include <linux/rbtree.h>
/* Ordered trees without their balance. */
#if defined NEEDS_rb_first || defined NEEDS_rb_next || defined NEEDS_rb_erase
static struct rb_node *__fencepost_leftmost(struct rb_node *node)
{
    while (node->rb_left)
        node = node->rb_left;
    return node;
}
#endif
#if defined NEEDS_rb_last || defined NEEDS_rb_prev
static struct rb_node *__fencepost_rightmost(struct rb_node *node)
{
    while (node->rb_right)
        node = node->rb_right;
    return node;
}
#endif
#ifdef NEEDS_rb_first
struct rb_node *rb_first(const struct rb_root *root)
{
    return root->rb_node ? __fencepost_leftmost(root->rb_node) : (struct rb_node *)0;
}
#endif
#ifdef NEEDS_rb_last
struct rb_node *rb_last(const struct rb_root *root)
{
    return root->rb_node ? __fencepost_rightmost(root->rb_node) : (struct rb_node *)0;
}
#endif
#ifdef NEEDS_rb_next
struct rb_node *rb_next(const struct rb_node *node)
{
    if (RB_EMPTY_NODE(node))
        return (struct rb_node *)0;
    if (node->rb_right)
        return __fencepost_leftmost(node->rb_right);
    struct rb_node *parent = node->__rb_parent;
    while (parent && node == parent->rb_right) {
        node = parent;
        parent = node->__rb_parent;
    }
    return parent;
}
#endif
#ifdef NEEDS_rb_prev
struct rb_node *rb_prev(const struct rb_node *node)
{
    if (RB_EMPTY_NODE(node))
        return (struct rb_node *)0;
    if (node->rb_left)
        return __fencepost_rightmost(node->rb_left);
    struct rb_node *parent = node->__rb_parent;
    while (parent && node == parent->rb_left) {
        node = parent;
        parent = node->__rb_parent;
    }
    return parent;
}
#endif
#if defined NEEDS_rb_erase || defined NEEDS_rb_replace_node
static void __fencepost_replace(struct rb_node *node, struct rb_node *by, struct rb_root *root)
{
    struct rb_node *parent = node->__rb_parent;
    if (!parent)
        WRITE_ONCE(root->rb_node, by);
    else if (parent->rb_left == node)
        WRITE_ONCE(parent->rb_left, by);
    else
        WRITE_ONCE(parent->rb_right, by);
    if (by)
        by->__rb_parent = parent;
}
#endif
#ifdef NEEDS_rb_erase
void rb_erase(struct rb_node *node, struct rb_root *root)
{
    if (!node->rb_left) {
        __fencepost_replace(node, node->rb_right, root);
        return;
    }
    if (!node->rb_right) {
        __fencepost_replace(node, node->rb_left, root);
        return;
    }
    struct rb_node *next = __fencepost_leftmost(node->rb_right);
    if (next->__rb_parent != node) {
        __fencepost_replace(next, next->rb_right, root);
        next->rb_right = node->rb_right;
        next->rb_right->__rb_parent = next;
    }
    __fencepost_replace(node, next, root);
    next->rb_left = node->rb_left;
    next->rb_left->__rb_parent = next;
}
#endif
#ifdef NEEDS_rb_replace_node
void rb_replace_node(struct rb_node *victim, struct rb_node *node, struct rb_root *root)
{
    *node = *victim;
    __fencepost_replace(victim, node, root);
    if (node->rb_left)
        node->rb_left->__rb_parent = node;
    if (node->rb_right)
        node->rb_right->__rb_parent = node;
}
#endif
