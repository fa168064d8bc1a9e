#pragma once
/* Registers of devices, as memory. On x86 these are plain moves that no compiler moves others over: `writel` waits
   for no store buffer, and a load after it may be earlier. Those named `relaxed` do not keep the compiler off. */
#include <linux/types.h>
#include <asm/barrier.h>
#include <asm/byteorder.h>
#define __io_read(type, p) ({ type __read = READ_ONCE(*(const type *)(p)); barrier(); __read; })
#define __io_write(type, v, p) smp_store_release((type *)(p), (type)(v))
#define readb(p) __io_read(u8, p)
#define readw(p) __io_read(u16, p)
#define readl(p) __io_read(u32, p)
#define readq(p) __io_read(u64, p)
#define writeb(v, p) __io_write(u8, v, p)
#define writew(v, p) __io_write(u16, v, p)
#define writel(v, p) __io_write(u32, v, p)
#define writeq(v, p) __io_write(u64, v, p)
#define readb_relaxed(p) READ_ONCE(*(const u8 *)(p))
#define readw_relaxed(p) READ_ONCE(*(const u16 *)(p))
#define readl_relaxed(p) READ_ONCE(*(const u32 *)(p))
#define readq_relaxed(p) READ_ONCE(*(const u64 *)(p))
#define writeb_relaxed(v, p) WRITE_ONCE(*(u8 *)(p), (u8)(v))
#define writew_relaxed(v, p) WRITE_ONCE(*(u16 *)(p), (u16)(v))
#define writel_relaxed(v, p) WRITE_ONCE(*(u32 *)(p), (u32)(v))
#define writeq_relaxed(v, p) WRITE_ONCE(*(u64 *)(p), (u64)(v))
#define ioread8(p) readb(p)
#define ioread16(p) readw(p)
#define ioread32(p) readl(p)
#define iowrite8(v, p) writeb(v, p)
#define iowrite16(v, p) writew(v, p)
#define iowrite32(v, p) writel(v, p)
#define memcpy_toio(p, from, count) ({ barrier(); memcpy((void *)(p), (from), (count)); barrier(); })
#define memcpy_fromio(to, p, count) ({ barrier(); memcpy((to), (void *)(p), (count)); barrier(); })
