//: about Fields, sums that do not fit, sets of processors, masks, lists that turn, and ends of rings
//: check sc holds
//: check tso holds
#include <linux/bitfield.h>
#include <linux/bitmap.h>
#include <linux/build_bug.h>
#include <linux/circ_buf.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/overflow.h>

#define FIELD 0xf0u
#define TWICE(n) (2 * (n) + BUILD_BUG_ON_ZERO(sizeof(n) > 8))

struct item { struct list_head node; int value; };

int main(void)
{
    unsigned int word = FIELD_PREP(FIELD, 9) | 5;
    BUG_ON(word != 0x95 || FIELD_GET(FIELD, word) != 9 || FIELD_MAX(FIELD) != 15 || FIELD_FIT(FIELD, 16));
    int sum;
    BUG_ON(!check_add_overflow(0x7fffffff, 1, &sum) || check_add_overflow(1, 2, &sum) || sum != 3);
    BUG_ON(check_sub_overflow(1, 2, &sum) || sum != -1);
    BUG_ON(!check_mul_overflow(0x10000, 0x10000, &sum));
    cpumask_t mask;
    cpumask_clear(&mask);
    cpumask_set_cpu(1, &mask);
    cpumask_set_cpu(3, &mask);
    BUG_ON(cpumask_weight(&mask) != 2 || cpumask_first(&mask) != 1 || cpumask_next(1, &mask) != 3);
    BUG_ON(cpumask_weight(cpu_online_mask) != NR_CPUS);
    unsigned int flags = 0x13;
    BUG_ON(set_mask_bits(&flags, 0x3, 0x4) != 0x13 || flags != 0x14);
    BUG_ON(TWICE(4) != 8);
    int head = 1, tail = 3;
    BUG_ON(CIRC_CNT(head, tail, 4) != 2 || CIRC_CNT_TO_END(head, tail, 4) != 1);
    BUG_ON(CIRC_SPACE(head, tail, 4) != 1 || CIRC_SPACE_TO_END(head, tail, 4) != 1);
    LIST_HEAD(list);
    struct item one = { .value = 1 }, two = { .value = 2 };
    list_add_tail(&one.node, &list);
    list_add_tail(&two.node, &list);
    list_rotate_left(&list);
    BUG_ON(list_first_entry(&list, struct item, node)->value != 2);
    BUG_ON(EDQUOT != 122 || EMFILE != 24 || ELOOP != 40 || ENOTRECOVERABLE != 131 || ENOTSUPP != 524);
    return 0;
}
