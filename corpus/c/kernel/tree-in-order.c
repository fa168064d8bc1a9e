//: about A tree has its nodes in order, whichever are erased
//: check sc holds
#include <linux/bug.h>
#include <linux/rbtree.h>
struct item { int key; struct rb_node node; };
static struct rb_root root = RB_ROOT;
static void insert(struct item *item)
{
    struct rb_node **link = &root.rb_node, *parent = NULL;
    while (*link) {
        parent = *link;
        if (item->key < rb_entry(parent, struct item, node)->key) link = &parent->rb_left;
        else link = &parent->rb_right;
    }
    rb_link_node(&item->node, parent, link);
    rb_insert_color(&item->node, &root);
}
static struct item items[6] = {{4},{2},{5},{1},{3},{6}};
static void check(int n)
{
    int count = 0, last = 0;
    for (struct rb_node *at = rb_first(&root); at; at = rb_next(at)) {
        int key = rb_entry(at, struct item, node)->key;
        BUG_ON(key <= last);
        last = key; count++;
    }
    BUG_ON(count != n);
    count = 0; last = 7;
    for (struct rb_node *at = rb_last(&root); at; at = rb_prev(at)) {
        int key = rb_entry(at, struct item, node)->key;
        BUG_ON(key >= last);
        last = key; count++;
    }
    BUG_ON(count != n);
}
int main(void)
{
    for (int i = 0; i < 6; i++) insert(&items[i]);
    check(6);
    rb_erase(&items[0].node, &root); check(5);
    rb_erase(&items[1].node, &root); check(4);
    rb_erase(&items[5].node, &root); check(3);
    rb_erase(&items[3].node, &root); check(2);
    rb_erase(&items[2].node, &root); rb_erase(&items[4].node, &root);
    BUG_ON(!RB_EMPTY_ROOT(&root));
    return 0;
}
