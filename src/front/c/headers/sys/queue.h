#pragma once
/* The queues of BSD: all accesses are plain. */
#define SLIST_HEAD(name, type) struct name { struct type *slh_first; }
#define SLIST_HEAD_INITIALIZER(head) { (void *)0 }
#define SLIST_ENTRY(type) struct { struct type *sle_next; }
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_NEXT(entry, field) ((entry)->field.sle_next)
#define SLIST_EMPTY(head) (SLIST_FIRST(head) == (void *)0)
#define SLIST_INIT(head) do { SLIST_FIRST(head) = (void *)0; } while (0)
#define SLIST_FOREACH(at, head, field) for ((at) = SLIST_FIRST(head); (at); (at) = SLIST_NEXT(at, field))
#define SLIST_INSERT_HEAD(head, entry, field) \
    do { SLIST_NEXT(entry, field) = SLIST_FIRST(head); SLIST_FIRST(head) = (entry); } while (0)
#define SLIST_INSERT_AFTER(before, entry, field) \
    do { SLIST_NEXT(entry, field) = SLIST_NEXT(before, field); SLIST_NEXT(before, field) = (entry); } while (0)
#define SLIST_REMOVE_HEAD(head, field) do { SLIST_FIRST(head) = SLIST_NEXT(SLIST_FIRST(head), field); } while (0)
#define SLIST_REMOVE(head, entry, type, field) \
    do { \
        if (SLIST_FIRST(head) == (entry)) \
            SLIST_REMOVE_HEAD(head, field); \
        else { \
            struct type *__before = SLIST_FIRST(head); \
            while (SLIST_NEXT(__before, field) != (entry)) \
                __before = SLIST_NEXT(__before, field); \
            SLIST_NEXT(__before, field) = SLIST_NEXT(SLIST_NEXT(__before, field), field); \
        } \
    } while (0)

#undef LIST_HEAD
#define LIST_HEAD(name, type) struct name { struct type *lh_first; }
#define LIST_HEAD_INITIALIZER(head) { (void *)0 }
#define LIST_ENTRY(type) struct { struct type *le_next, **le_prev; }
#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_NEXT(entry, field) ((entry)->field.le_next)
#define LIST_EMPTY(head) (LIST_FIRST(head) == (void *)0)
#define LIST_INIT(head) do { LIST_FIRST(head) = (void *)0; } while (0)
#define LIST_FOREACH(at, head, field) for ((at) = LIST_FIRST(head); (at); (at) = LIST_NEXT(at, field))
#define LIST_INSERT_HEAD(head, entry, field) \
    do { \
        if ((LIST_NEXT(entry, field) = LIST_FIRST(head)) != (void *)0) \
            LIST_FIRST(head)->field.le_prev = &LIST_NEXT(entry, field); \
        LIST_FIRST(head) = (entry); \
        (entry)->field.le_prev = &LIST_FIRST(head); \
    } while (0)
#define LIST_INSERT_AFTER(before, entry, field) \
    do { \
        if ((LIST_NEXT(entry, field) = LIST_NEXT(before, field)) != (void *)0) \
            LIST_NEXT(before, field)->field.le_prev = &LIST_NEXT(entry, field); \
        LIST_NEXT(before, field) = (entry); \
        (entry)->field.le_prev = &LIST_NEXT(before, field); \
    } while (0)
#define LIST_INSERT_BEFORE(after, entry, field) \
    do { \
        (entry)->field.le_prev = (after)->field.le_prev; \
        LIST_NEXT(entry, field) = (after); \
        *(after)->field.le_prev = (entry); \
        (after)->field.le_prev = &LIST_NEXT(entry, field); \
    } while (0)
#define LIST_REMOVE(entry, field) \
    do { \
        if (LIST_NEXT(entry, field) != (void *)0) \
            LIST_NEXT(entry, field)->field.le_prev = (entry)->field.le_prev; \
        *(entry)->field.le_prev = LIST_NEXT(entry, field); \
    } while (0)

#define STAILQ_HEAD(name, type) struct name { struct type *stqh_first, **stqh_last; }
#define STAILQ_HEAD_INITIALIZER(head) { (void *)0, &(head).stqh_first }
#define STAILQ_ENTRY(type) struct { struct type *stqe_next; }
#define STAILQ_FIRST(head) ((head)->stqh_first)
#define STAILQ_NEXT(entry, field) ((entry)->field.stqe_next)
#define STAILQ_EMPTY(head) (STAILQ_FIRST(head) == (void *)0)
#define STAILQ_INIT(head) \
    do { STAILQ_FIRST(head) = (void *)0; (head)->stqh_last = &STAILQ_FIRST(head); } while (0)
#define STAILQ_FOREACH(at, head, field) for ((at) = STAILQ_FIRST(head); (at); (at) = STAILQ_NEXT(at, field))
#define STAILQ_INSERT_HEAD(head, entry, field) \
    do { \
        if ((STAILQ_NEXT(entry, field) = STAILQ_FIRST(head)) == (void *)0) \
            (head)->stqh_last = &STAILQ_NEXT(entry, field); \
        STAILQ_FIRST(head) = (entry); \
    } while (0)
#define STAILQ_INSERT_TAIL(head, entry, field) \
    do { \
        STAILQ_NEXT(entry, field) = (void *)0; \
        *(head)->stqh_last = (entry); \
        (head)->stqh_last = &STAILQ_NEXT(entry, field); \
    } while (0)
#define STAILQ_REMOVE_HEAD(head, field) \
    do { \
        if ((STAILQ_FIRST(head) = STAILQ_NEXT(STAILQ_FIRST(head), field)) == (void *)0) \
            (head)->stqh_last = &STAILQ_FIRST(head); \
    } while (0)

#define TAILQ_HEAD(name, type) struct name { struct type *tqh_first, **tqh_last; }
#define TAILQ_HEAD_INITIALIZER(head) { (void *)0, &(head).tqh_first }
#define TAILQ_ENTRY(type) struct { struct type *tqe_next, **tqe_prev; }
#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_NEXT(entry, field) ((entry)->field.tqe_next)
#define TAILQ_EMPTY(head) (TAILQ_FIRST(head) == (void *)0)
#define TAILQ_INIT(head) do { TAILQ_FIRST(head) = (void *)0; (head)->tqh_last = &TAILQ_FIRST(head); } while (0)
#define TAILQ_FOREACH(at, head, field) for ((at) = TAILQ_FIRST(head); (at); (at) = TAILQ_NEXT(at, field))
#define TAILQ_INSERT_HEAD(head, entry, field) \
    do { \
        if ((TAILQ_NEXT(entry, field) = TAILQ_FIRST(head)) != (void *)0) \
            TAILQ_FIRST(head)->field.tqe_prev = &TAILQ_NEXT(entry, field); \
        else \
            (head)->tqh_last = &TAILQ_NEXT(entry, field); \
        TAILQ_FIRST(head) = (entry); \
        (entry)->field.tqe_prev = &TAILQ_FIRST(head); \
    } while (0)
#define TAILQ_INSERT_TAIL(head, entry, field) \
    do { \
        TAILQ_NEXT(entry, field) = (void *)0; \
        (entry)->field.tqe_prev = (head)->tqh_last; \
        *(head)->tqh_last = (entry); \
        (head)->tqh_last = &TAILQ_NEXT(entry, field); \
    } while (0)
#define TAILQ_REMOVE(head, entry, field) \
    do { \
        if (TAILQ_NEXT(entry, field) != (void *)0) \
            TAILQ_NEXT(entry, field)->field.tqe_prev = (entry)->field.tqe_prev; \
        else \
            (head)->tqh_last = (entry)->field.tqe_prev; \
        *(entry)->field.tqe_prev = TAILQ_NEXT(entry, field); \
    } while (0)
