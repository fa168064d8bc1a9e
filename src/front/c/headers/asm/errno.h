#pragma once
#include <asm-generic/errno.h>
