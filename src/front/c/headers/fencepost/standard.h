#pragma once
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
/* More of the C library: streams to files, of which nothing is kept; numbers; floating point, whose values
   are not known anyway. */
#define __FENCEPOST_ANY_RESULT() (__VERIFIER_nondet_bool() ? 0 : __FENCEPOST_FAILS(-1))
#define __FENCEPOST_WRITE_OUT(from, size) __fencepost_hand_out(from, size)
#define __FENCEPOST_IS_FROM_OUTSIDE(text) __fencepost_has_any_text(text)
#define __FENCEPOST_STREAM() __fencepost_call_number()
#define __FENCEPOST_UNMAP(start, size) __fencepost_unmap(start, size)
#define __FENCEPOST_CHECK_MAPPING(flags) \
    ((void)(((flags) & MAP_ANONYMOUS && !((flags) & MAP_FIXED)) || (__fencepost_no_file(), 0)))
#define __FENCEPOST_CHECK_PROTECTION(protection) \
    ((void)(((protection) & 3) == 3 || (__fencepost_no_protection(), 0)))
#define __FENCEPOST_CHECK_ADVICE(advice) \
    ((void)(((advice) != MADV_DONTNEED && (advice) != MADV_FREE && (advice) != MADV_REMOVE) || (__fencepost_no_discarding(), 0)))
#define __FENCEPOST_STAT(into) \
    (__VERIFIER_nondet_bool() ? __FENCEPOST_FAILS(-1) : ((into)->st_dev = __fencepost_any_length(), (into)->st_ino = __fencepost_any_length(), \
                                      (into)->st_mode = __fencepost_any_length(), (into)->st_nlink = __fencepost_any_length(), \
                                      (into)->st_uid = __fencepost_any_length(), (into)->st_gid = __fencepost_any_length(), \
                                      (into)->st_size = __fencepost_any_length(), (into)->st_mtime = __fencepost_any_length(), 0))
#define __FENCEPOST_READ_CHARACTER() (__VERIFIER_nondet_bool() ? (int)(unsigned char)__fencepost_any_char() : EOF)
#if defined(NEEDS_fopen) || defined(NEEDS_fdopen) || defined(NEEDS_tmpfile)
/* Different calls in the text open different streams, up to so many. */
static FILE __fencepost_streams[16];
static FILE *__fencepost_open_stream(void)
{
    return __VERIFIER_nondet_bool() ? &__fencepost_streams[__FENCEPOST_STREAM()] : __FENCEPOST_FAILS(NULL);
}
#endif
#ifdef NEEDS_fopen
FILE *fopen(const char *path, const char *mode)
{
    return __fencepost_open_stream();
}
#endif
#ifdef NEEDS_fdopen
FILE *fdopen(int fd, const char *mode)
{
    return __fencepost_open_stream();
}
#endif
#ifdef NEEDS_tmpfile
FILE *tmpfile(void)
{
    return __fencepost_open_stream();
}
#endif
#ifdef NEEDS_fclose
int fclose(FILE *stream)
{
    return __FENCEPOST_ANY_RESULT();
}
#endif
#ifdef NEEDS_fputc
int fputc(int character, FILE *stream)
{
    return __VERIFIER_nondet_bool() ? (unsigned char)character : EOF;
}
#endif
#ifdef NEEDS_putc
int putc(int character, FILE *stream)
{
    return __VERIFIER_nondet_bool() ? (unsigned char)character : EOF;
}
#endif
#ifdef NEEDS_fwrite
size_t fwrite(const void *from, size_t size, size_t count, FILE *stream)
{
    __FENCEPOST_WRITE_OUT(from, size * count);
    size_t written = __fencepost_any_length();
    return written < count ? written : count;
}
#endif
#ifdef NEEDS_fgetc
int fgetc(FILE *stream)
{
    return __FENCEPOST_READ_CHARACTER();
}
#endif
#ifdef NEEDS_getc
int getc(FILE *stream)
{
    return __FENCEPOST_READ_CHARACTER();
}
#endif
#ifdef NEEDS_getchar
int getchar(void)
{
    return __FENCEPOST_READ_CHARACTER();
}
#endif
#ifdef NEEDS_fgets
char *fgets(char *text, int size, FILE *stream)
{
    if (size <= 0 || !__VERIFIER_nondet_bool())
        return NULL;
    __fencepost_short_text();
    if (size > 1)
        text[0] = __fencepost_any_char();
    text[size > 1] = 0;
    return text;
}
#endif
#ifdef NEEDS_sprintf
int sprintf(char *text, const char *format, ...)
{
    __fencepost_short_text();
    text[0] = __fencepost_any_char();
    if (text[0])
        text[1] = 0;
    return __fencepost_any_length();
}
#endif
#ifdef NEEDS_fileno
int fileno(FILE *stream)
{
    return __fencepost_any_length();
}
#endif
#ifdef NEEDS_ferror
int ferror(FILE *stream)
{
    return __VERIFIER_nondet_bool();
}
#endif
#ifdef NEEDS_feof
int feof(FILE *stream)
{
    return __VERIFIER_nondet_bool();
}
#endif
#ifdef NEEDS_clearerr
void clearerr(FILE *stream)
{
}
#endif
#ifdef NEEDS_fseek
int fseek(FILE *stream, long offset, int from)
{
    return __FENCEPOST_ANY_RESULT();
}
#endif
#ifdef NEEDS_ftell
long ftell(FILE *stream)
{
    return __VERIFIER_nondet_bool() ? (long)__fencepost_any_length() : __FENCEPOST_FAILS(-1);
}
#endif
#ifdef NEEDS_rewind
void rewind(FILE *stream)
{
}
#endif
#ifdef NEEDS_remove
int remove(const char *path)
{
    return __FENCEPOST_ANY_RESULT();
}
#endif
#ifdef NEEDS_unlink
int unlink(const char *path)
{
    return __FENCEPOST_ANY_RESULT();
}
#endif
#ifdef NEEDS_fsync
int fsync(int fd)
{
    return __FENCEPOST_ANY_RESULT();
}
#endif
#ifdef NEEDS_fdatasync
int fdatasync(int fd)
{
    return __FENCEPOST_ANY_RESULT();
}
#endif
#ifdef NEEDS_isatty
int isatty(int fd)
{
    return __VERIFIER_nondet_bool();
}
#endif
#ifdef NEEDS_mmap
void *mmap(void *where, size_t size, int protection, int flags, int fd, off_t offset)
{
    __FENCEPOST_CHECK_MAPPING(flags);
    __FENCEPOST_CHECK_PROTECTION(protection);
    return calloc(size, 1);
}
#endif
#ifdef NEEDS_munmap
int munmap(void *start, size_t size)
{
    __FENCEPOST_UNMAP(start, size);
    return 0;
}
#endif
#ifdef NEEDS_mprotect
int mprotect(void *start, size_t size, int protection)
{
    __FENCEPOST_CHECK_PROTECTION(protection);
    return __FENCEPOST_ANY_RESULT();
}
#endif
#ifdef NEEDS_error
void error(int status, int number, const char *format, ...)
{
    if (status)
        exit(status);
}
#endif
#ifdef NEEDS_error_at_line
void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
    if (status)
        exit(status);
}
#endif
#ifdef NEEDS_madvise
int madvise(void *start, size_t size, int advice)
{
    __FENCEPOST_CHECK_ADVICE(advice);
    return __FENCEPOST_ANY_RESULT();
}
#endif
#ifdef NEEDS_abs
int abs(int number)
{
    return number < 0 ? -number : number;
}
#endif
#ifdef NEEDS_labs
long labs(long number)
{
    return number < 0 ? -number : number;
}
#endif
#ifdef NEEDS_llabs
long long llabs(long long number)
{
    return number < 0 ? -number : number;
}
#endif
#ifdef NEEDS_arc4random
unsigned arc4random(void)
{
    return __VERIFIER_nondet_uint();
}
#endif
#ifdef NEEDS_strdup
char *strdup(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (copy)
        strcpy(copy, text);
    return copy;
}
#endif
#ifdef NEEDS_strndup
char *strndup(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}
#endif
#ifdef NEEDS_sem_timedwait
/* Who gives up after a time has found that there is nothing to take, by a locked instruction. */
int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
    __sync_synchronize();
    if (sem_trywait(semaphore) == 0)
        return 0;
    if (__VERIFIER_nondet_bool()) {
        errno = ETIMEDOUT;
        return -1;
    }
    return sem_wait(semaphore);
}
#endif
#ifdef NEEDS_localtime
struct tm *localtime(const time_t *time)
{
    static struct tm when;
    return localtime_r(time, &when);
}
#endif
#ifdef NEEDS_ctime
char *ctime(const time_t *time)
{
    static char text[2];
    __fencepost_short_text();
    text[0] = __fencepost_any_char();
    return text;
}
#endif
#ifdef NEEDS_difftime
double difftime(time_t later, time_t earlier)
{
    return later - earlier;
}
#endif
#ifdef NEEDS_sqrt
double sqrt(double number)
{
    return number;
}
#endif
#ifdef NEEDS_pow
double pow(double base, double exponent)
{
    return base + exponent;
}
#endif
#ifdef NEEDS_floor
double floor(double number)
{
    return number;
}
#endif
#ifdef NEEDS_ceil
double ceil(double number)
{
    return number;
}
#endif
#ifdef NEEDS_fabs
double fabs(double number)
{
    return number;
}
#endif
#ifdef NEEDS_log
double log(double number)
{
    return number;
}
#endif
#ifdef NEEDS_log2
double log2(double number)
{
    return number;
}
#endif
#ifdef NEEDS_exp
double exp(double number)
{
    return number;
}
#endif
#ifdef NEEDS_sin
double sin(double number)
{
    return number;
}
#endif
#ifdef NEEDS_cos
double cos(double number)
{
    return number;
}
#endif
#if defined(NEEDS_atoi) || defined(NEEDS_atol) || defined(NEEDS_atoll) || defined(NEEDS_strtol) || \
    defined(NEEDS_strtoll) || defined(NEEDS_strtoul) || defined(NEEDS_strtoull)
static int __fencepost_digit(char letter)
{
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    if (letter >= 'a' && letter <= 'z')
        return letter - 'a' + 10;
    if (letter >= 'A' && letter <= 'Z')
        return letter - 'A' + 10;
    return 36;
}
/* The number at the beginning of a text. Any number if some text of the program is not as long as in reality. */
static long __fencepost_number(const char *text, char **end, int base)
{
    const char *at = text;
    if (__FENCEPOST_IS_FROM_OUTSIDE(text)) {
        if (end)
            *end = (char *)text + (__VERIFIER_nondet_bool() ? strlen(text) : 0);
        return __VERIFIER_nondet_int();
    }
    while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
        at++;
    int is_negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    int is_prefixed = at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && __fencepost_digit(at[2]) < 16;
    if ((base == 0 || base == 16) && is_prefixed) {
        base = 16;
        at += 2;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    long number = 0;
    int digits = 0;
    for (int digit; (digit = __fencepost_digit(*at)) < base; at++) {
        number = number * base + digit;
        digits++;
    }
    if (end)
        *end = (char *)(digits ? at : text);
    return is_negative ? -number : number;
}
#endif
#ifdef NEEDS_atoi
int atoi(const char *text)
{
    return __fencepost_number(text, NULL, 10);
}
#endif
#ifdef NEEDS_atol
long atol(const char *text)
{
    return __fencepost_number(text, NULL, 10);
}
#endif
#ifdef NEEDS_atoll
long long atoll(const char *text)
{
    return __fencepost_number(text, NULL, 10);
}
#endif
#ifdef NEEDS_strtol
long strtol(const char *text, char **end, int base)
{
    return __fencepost_number(text, end, base);
}
#endif
#ifdef NEEDS_strtoll
long long strtoll(const char *text, char **end, int base)
{
    return __fencepost_number(text, end, base);
}
#endif
#ifdef NEEDS_strtoul
unsigned long strtoul(const char *text, char **end, int base)
{
    return __fencepost_number(text, end, base);
}
#endif
#ifdef NEEDS_strtoull
unsigned long long strtoull(const char *text, char **end, int base)
{
    return __fencepost_number(text, end, base);
}
#endif
#ifdef NEEDS_asprintf
int asprintf(char **text, const char *format, ...)
{
    char *made = malloc(2);
    if (!made)
        return __FENCEPOST_FAILS(-1);
    __fencepost_short_text();
    made[0] = __fencepost_any_char();
    made[1] = 0;
    *text = made;
    return __fencepost_any_length();
}
#endif
#ifdef NEEDS_putc_unlocked
int putc_unlocked(int character, FILE *stream)
{
    return __VERIFIER_nondet_bool() ? (unsigned char)character : EOF;
}
#endif
#ifdef NEEDS_getc_unlocked
int getc_unlocked(FILE *stream)
{
    return __FENCEPOST_READ_CHARACTER();
}
#endif
#ifdef NEEDS_ftruncate
int ftruncate(int fd, off_t length)
{
    return __FENCEPOST_ANY_RESULT();
}
#endif
#ifdef NEEDS_lseek
off_t lseek(int fd, off_t offset, int whence)
{
    return __VERIFIER_nondet_bool() ? __FENCEPOST_FAILS(-1) : __fencepost_any_length();
}
#endif
#ifdef NEEDS_fstat
int fstat(int fd, struct stat *into)
{
    return __FENCEPOST_STAT(into);
}
#endif
#ifdef NEEDS_stat
int stat(const char *path, struct stat *into)
{
    return __FENCEPOST_STAT(into);
}
#endif
