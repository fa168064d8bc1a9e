#pragma once
#define __NR_write 1
#define __NR_gettid 186
#define __NR_futex 202
#define __NR_membarrier 324
#define SYS_membarrier __NR_membarrier
#define SYS_write __NR_write
#define SYS_gettid __NR_gettid
#define SYS_futex __NR_futex
