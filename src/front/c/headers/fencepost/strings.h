#include <stddef.h>
/* Each function is read where a program calls it and has none of its own. */
#ifdef NEEDS_strlen
size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}
#endif
#ifdef NEEDS_strnlen
size_t strnlen(const char *text, size_t most)
{
    size_t length = 0;
    while (length < most && text[length])
        length++;
    return length;
}
#endif
#ifdef NEEDS_strcmp
int strcmp(const char *left, const char *right)
{
    size_t at = 0;
    while (left[at] && left[at] == right[at])
        at++;
    return (unsigned char)left[at] - (unsigned char)right[at];
}
#endif
#ifdef NEEDS_strncmp
int strncmp(const char *left, const char *right, size_t most)
{
    for (size_t at = 0; at < most; at++) {
        if (left[at] != right[at])
            return (unsigned char)left[at] - (unsigned char)right[at];
        if (!left[at])
            return 0;
    }
    return 0;
}
#endif
#ifdef NEEDS_strcpy
char *strcpy(char *into, const char *from)
{
    size_t at = 0;
    do
        into[at] = from[at];
    while (from[at++]);
    return into;
}
#endif
#ifdef NEEDS___fencepost_strscpy
long __fencepost_strscpy(char *into, const char *from, size_t size)
{
    if (!size)
        return -7;
    for (size_t at = 0; at < size - 1; at++) {
        into[at] = from[at];
        if (!from[at])
            return at;
    }
    into[size - 1] = 0;
    return from[size - 1] ? -7 : size - 1;
}
#endif
#ifdef NEEDS_strncpy
char *strncpy(char *into, const char *from, size_t most)
{
    size_t at = 0;
    for (; at < most && from[at]; at++)
        into[at] = from[at];
    for (; at < most; at++)
        into[at] = 0;
    return into;
}
#endif
#ifdef NEEDS_strncat
char *strncat(char *into, const char *from, size_t most)
{
    size_t at = 0, end = 0;
    while (into[end])
        end++;
    for (; at < most && from[at]; at++)
        into[end + at] = from[at];
    into[end + at] = 0;
    return into;
}
#endif
#ifdef NEEDS_strcat
char *strcat(char *into, const char *from)
{
    size_t end = 0, at = 0;
    while (into[end])
        end++;
    do
        into[end + at] = from[at];
    while (from[at++]);
    return into;
}
#endif
#ifdef NEEDS_strchr
char *strchr(const char *text, int wanted)
{
    for (size_t at = 0;; at++) {
        if (text[at] == (char)wanted)
            return (char *)text + at;
        if (!text[at])
            return 0;
    }
}
#endif
#ifdef NEEDS_strrchr
char *strrchr(const char *text, int wanted)
{
    char *found = 0;
    for (size_t at = 0;; at++) {
        if (text[at] == (char)wanted)
            found = (char *)text + at;
        if (!text[at])
            return found;
    }
}
#endif
#ifdef NEEDS_memchr
void *memchr(const void *from, int byte, size_t count)
{
    for (size_t at = 0; at < count; at++)
        if (((const unsigned char *)from)[at] == (unsigned char)byte)
            return (char *)from + at;
    return NULL;
}
#endif
#ifdef NEEDS_strstr
char *strstr(const char *text, const char *part)
{
    for (;; text++) {
        size_t at = 0;
        while (part[at] && text[at] == part[at])
            at++;
        if (!part[at])
            return (char *)text;
        if (!*text)
            return NULL;
    }
}
#endif
#if defined(NEEDS_strspn) || defined(NEEDS_strcspn) || defined(NEEDS_strpbrk) || defined(NEEDS_strtok) \
    || defined(NEEDS_strtok_r)
/* How many characters at the beginning are in the set, or are not. */
static size_t __fencepost_span(const char *text, const char *set, int in)
{
    size_t length = 0;
    for (; text[length]; length++) {
        size_t at = 0;
        while (set[at] && set[at] != text[length])
            at++;
        if ((set[at] != 0) != in)
            break;
    }
    return length;
}
static char *__fencepost_token(char *text, const char *set, char **rest)
{
    text = text ? text : *rest;
    text += __fencepost_span(text, set, 1);
    *rest = text;
    if (!*text)
        return NULL;
    char *end = text + __fencepost_span(text, set, 0);
    *rest = *end ? end + 1 : end;
    *end = 0;
    return text;
}
#endif
#ifdef NEEDS_strspn
size_t strspn(const char *text, const char *set)
{
    return __fencepost_span(text, set, 1);
}
#endif
#ifdef NEEDS_strcspn
size_t strcspn(const char *text, const char *set)
{
    return __fencepost_span(text, set, 0);
}
#endif
#ifdef NEEDS_strpbrk
char *strpbrk(const char *text, const char *set)
{
    text += __fencepost_span(text, set, 0);
    return *text ? (char *)text : NULL;
}
#endif
#ifdef NEEDS_strtok
char *strtok(char *text, const char *set)
{
    static char *rest;
    return __fencepost_token(text, set, &rest);
}
#endif
#ifdef NEEDS_strtok_r
char *strtok_r(char *text, const char *set, char **rest)
{
    return __fencepost_token(text, set, rest);
}
#endif
#if defined(NEEDS_strcasecmp) || defined(NEEDS_strncasecmp)
static int __fencepost_lower(unsigned char one)
{
    return one >= 'A' && one <= 'Z' ? one + 32 : one;
}
#endif
#ifdef NEEDS_strcasecmp
int strcasecmp(const char *left, const char *right)
{
    size_t at = 0;
    while (left[at] && __fencepost_lower(left[at]) == __fencepost_lower(right[at]))
        at++;
    return __fencepost_lower(left[at]) - __fencepost_lower(right[at]);
}
#endif
#ifdef NEEDS_strncasecmp
int strncasecmp(const char *left, const char *right, size_t most)
{
    for (size_t at = 0; at < most; at++) {
        if (__fencepost_lower(left[at]) != __fencepost_lower(right[at]))
            return __fencepost_lower(left[at]) - __fencepost_lower(right[at]);
        if (!left[at])
            return 0;
    }
    return 0;
}
#endif
