//: about Small macros of Linux, computed
//: check sc holds
//: check tso holds
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/circ_buf.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/virtio_ring.h>
#include <pthread.h>

#define CONFIG_ON 1
#define CONFIG_LOADED_MODULE 1
static int storage[roundup_pow_of_two(5)];
static atomic_t counter = ATOMIC_INIT(-1);

static void *thread(void *unused)
{
    DECLARE_BITMAP(map, 70);
    int a = 3, b = 10;
    unsigned long bit, seen = 0;
    BUILD_BUG_ON(!is_power_of_2(ARRAY_SIZE(storage)));
    BUG_ON(!IS_ENABLED(CONFIG_ON) || !IS_ENABLED(CONFIG_LOADED) || IS_BUILTIN(CONFIG_LOADED) || IS_ENABLED(CONFIG_OFF));
    swap(a, b);
    BUG_ON(a != 10 || b != 3 || clamp(a, 0, 5) != 5 || min3(a, b, 4) != 3 || max_t(int, a, b) != 10);
    BUG_ON(ALIGN(a, 8) != 16 || round_up(a, 4) != 12 || round_down(a, 4) != 8 || DIV_ROUND_UP(a, 3) != 4);
    BUG_ON(ilog2(a) != 3 || is_power_of_2(a) || !is_power_of_2(b + 1) || roundup_pow_of_two(a) != 16);
    BUG_ON(fls(a) != 4 || __ffs(a) != 1 || ffz(7UL) != 3 || hweight32(a) != 2);
    BUG_ON(PTR_ERR_OR_ZERO(ERR_PTR(-EAGAIN)) != -EAGAIN || PTR_ERR_OR_ZERO(&a));
    BUG_ON(CIRC_CNT(1, 3, 4) != 2 || CIRC_SPACE(1, 3, 4) != 1);
    BUG_ON(be32_to_cpu(cpu_to_be32(0x1234)) != 0x1234 || cpu_to_be16(0x12) != 0x1200 || cpu_to_le16(5) != 5);
    BUG_ON(upper_32_bits(7ULL) != 0 || lower_32_bits(7ULL) != 7);
    BUG_ON(!vring_need_event(4, 5, 4) || vring_need_event(5, 5, 4));
    bitmap_zero(map, 70);
    __set_bit(2, map);
    set_bit(66, map);
    BUG_ON(__test_and_set_bit(2, map) != 1 || __test_and_clear_bit(3, map));
    for_each_set_bit(bit, map, 70)
        seen += bit;
    BUG_ON(seen != 68 || find_next_bit(map, 70, 3) != 66 || find_first_zero_bit(map, 70) != 0);
    BUG_ON(atomic_inc_unless_negative(&counter) || atomic_dec_if_positive(&counter) != -2);
    BUG_ON(xadd(&a, 2) != 10 || cmpxchg64(&a, 12, 13) != 12 || a != 13);
    switch (a) {
    case 13:
        b++;
        fallthrough;
    default:
        b++;
    }
    BUG_ON(b != 5);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
