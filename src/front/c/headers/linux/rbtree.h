#pragma once
/* Types only. */
#include <linux/container_of.h>
#include <linux/rcupdate.h>
#include <linux/types.h>
struct rb_node { unsigned long __rb_parent_color; struct rb_node *rb_right, *rb_left; };
struct rb_root { struct rb_node *rb_node; };
#define RB_ROOT (struct rb_root){ (struct rb_node *)0 }
#define RB_EMPTY_ROOT(root) (READ_ONCE((root)->rb_node) == (struct rb_node *)0)
#define rb_entry(node, type, member) container_of(node, type, member)
