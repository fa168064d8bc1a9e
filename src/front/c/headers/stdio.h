#pragma once
#include <stdarg.h>
#include <stddef.h>
typedef __fencepost_ignored FILE;
#define EOF (-1)
#define BUFSIZ 8192
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define stdin ((FILE *)0)
#define stdout ((FILE *)0)
#define stderr ((FILE *)0)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
FILE *fopen(const char *, const char *);
FILE *fdopen(int, const char *);
FILE *tmpfile(void);
int fclose(FILE *);
int fputc(int, FILE *);
int putc(int, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
int fgetc(FILE *);
int getc(FILE *);
int getchar(void);
char *fgets(char *, int, FILE *);
int sprintf(char *, const char *, ...);
int fileno(FILE *);
int ferror(FILE *);
int feof(FILE *);
void clearerr(FILE *);
int fseek(FILE *, long, int);
long ftell(FILE *);
void rewind(FILE *);
int remove(const char *);
int snprintf(char *, size_t, const char *, ...);
int vsnprintf(char *, size_t, const char *, va_list);
