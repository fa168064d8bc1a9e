#pragma once
#include <stddef.h>
typedef int pid_t, clockid_t;
typedef unsigned int uid_t, gid_t, mode_t;
typedef long ssize_t, off_t, time_t, suseconds_t;
typedef unsigned char u_char;
typedef unsigned short u_short, ushort;
typedef unsigned int u_int, uint;
typedef unsigned long u_long, ulong;
