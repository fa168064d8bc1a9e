#pragma once
#include <stddef.h>
size_t strlen(const char *);
size_t strnlen(const char *, size_t);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strerror(int);
int strerror_r(int, char *, size_t);
const char *strerrorname_np(int);
char *strsignal(int);
