#ifndef LOCK_H
#define LOCK_H

void lock(int me);
void unlock(int me);

#endif
