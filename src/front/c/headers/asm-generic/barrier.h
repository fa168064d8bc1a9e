#pragma once
#include <asm/barrier.h>
