#pragma once
/* A jump back is refused where it is reached. */
typedef __fencepost_ignored jmp_buf[1], sigjmp_buf[1];
