#pragma once
#include <asm-generic/errno.h>
#define ERESTARTSYS 512
#define ERESTARTNOINTR 513
#define ERESTARTNOHAND 514
#define ENOIOCTLCMD 515
#define ERESTART_RESTARTBLOCK 516
#define EPROBE_DEFER 517
#ifndef ENOTSUPP
#define ENOTSUPP 524
#endif
