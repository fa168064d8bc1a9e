#pragma once
/* Rings of descriptors that a driver and a device share: the layout that both sides agree on. */
#include <linux/types.h>
#include <linux/virtio_types.h>
#include <asm/barrier.h>
#include <asm/byteorder.h>
#define VRING_DESC_F_NEXT 1
#define VRING_DESC_F_WRITE 2
#define VRING_DESC_F_INDIRECT 4
#define VRING_USED_F_NO_NOTIFY 1
#define VRING_AVAIL_F_NO_INTERRUPT 1
#define VIRTIO_RING_F_INDIRECT_DESC 28
#define VIRTIO_RING_F_EVENT_IDX 29
struct vring_desc { __virtio64 addr; __virtio32 len; __virtio16 flags; __virtio16 next; };
struct vring_avail { __virtio16 flags; __virtio16 idx; __virtio16 ring[]; };
struct vring_used_elem { __virtio32 id; __virtio32 len; };
typedef struct vring_used_elem vring_used_elem_t;
struct vring_used { __virtio16 flags; __virtio16 idx; vring_used_elem_t ring[]; };
struct vring { unsigned int num; struct vring_desc *desc; struct vring_avail *avail; struct vring_used *used; };
/* Whether the index moved over the event since it was `old`. */
#define vring_need_event(event, new, old) \
    ({ \
        u16 __event = (event), __to = (new), __from = (old); \
        (u16)(__to - __event - 1) < (u16)(__to - __from); \
    })
#define virtio_mb(weak) ({ if (weak) virt_mb(); else mb(); })
#define virtio_rmb(weak) ({ if (weak) virt_rmb(); else dma_rmb(); })
#define virtio_wmb(weak) ({ if (weak) virt_wmb(); else dma_wmb(); })
#define virtio_store_mb(weak, p, v) ({ if (weak) virt_store_mb(*(p), v); else { WRITE_ONCE(*(p), v); mb(); } })
