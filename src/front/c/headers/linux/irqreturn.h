#pragma once
typedef enum irqreturn { IRQ_NONE = 0, IRQ_HANDLED = 1, IRQ_WAKE_THREAD = 2 } irqreturn_t;
#define IRQ_RETVAL(handled) ((handled) ? IRQ_HANDLED : IRQ_NONE)
