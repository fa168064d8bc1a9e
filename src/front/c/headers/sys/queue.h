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

#define STAILQ_LAST(head, type, field) \
    (STAILQ_EMPTY(head) ? (struct type *)0 \
                        : (struct type *)((char *)(head)->stqh_last - __builtin_offsetof(struct type, field)))
#define STAILQ_INSERT_AFTER(head, before, entry, field) \
    do { \
        if ((STAILQ_NEXT(entry, field) = STAILQ_NEXT(before, field)) == (void *)0) \
            (head)->stqh_last = &STAILQ_NEXT(entry, field); \
        STAILQ_NEXT(before, field) = (entry); \
    } while (0)
#define STAILQ_REMOVE(head, entry, type, field) \
    do { \
        if (STAILQ_FIRST(head) == (entry)) { \
            STAILQ_REMOVE_HEAD(head, field); \
        } else { \
            struct type *__before = STAILQ_FIRST(head); \
            while (STAILQ_NEXT(__before, field) != (entry)) \
                __before = STAILQ_NEXT(__before, field); \
            if ((STAILQ_NEXT(__before, field) = STAILQ_NEXT(STAILQ_NEXT(__before, field), field)) == (void *)0) \
                (head)->stqh_last = &STAILQ_NEXT(__before, field); \
        } \
    } while (0)
#define STAILQ_CONCAT(one, other) \
    do { \
        if (!STAILQ_EMPTY(other)) { \
            *(one)->stqh_last = STAILQ_FIRST(other); \
            (one)->stqh_last = (other)->stqh_last; \
            STAILQ_INIT(other); \
        } \
    } while (0)

/* The same, with names of its own. */
#define SIMPLEQ_HEAD(name, type) struct name { struct type *sqh_first, **sqh_last; }
#define SIMPLEQ_HEAD_INITIALIZER(head) { (void *)0, &(head).sqh_first }
#define SIMPLEQ_ENTRY(type) struct { struct type *sqe_next; }
#define SIMPLEQ_FIRST(head) ((head)->sqh_first)
#define SIMPLEQ_NEXT(entry, field) ((entry)->field.sqe_next)
#define SIMPLEQ_EMPTY(head) (SIMPLEQ_FIRST(head) == (void *)0)
#define SIMPLEQ_INIT(head) \
    do { SIMPLEQ_FIRST(head) = (void *)0; (head)->sqh_last = &SIMPLEQ_FIRST(head); } while (0)
#define SIMPLEQ_FOREACH(at, head, field) for ((at) = SIMPLEQ_FIRST(head); (at); (at) = SIMPLEQ_NEXT(at, field))
#define SIMPLEQ_INSERT_HEAD(head, entry, field) \
    do { \
        if ((SIMPLEQ_NEXT(entry, field) = SIMPLEQ_FIRST(head)) == (void *)0) \
            (head)->sqh_last = &SIMPLEQ_NEXT(entry, field); \
        SIMPLEQ_FIRST(head) = (entry); \
    } while (0)
#define SIMPLEQ_INSERT_TAIL(head, entry, field) \
    do { \
        SIMPLEQ_NEXT(entry, field) = (void *)0; \
        *(head)->sqh_last = (entry); \
        (head)->sqh_last = &SIMPLEQ_NEXT(entry, field); \
    } while (0)
#define SIMPLEQ_INSERT_AFTER(head, before, entry, field) \
    do { \
        if ((SIMPLEQ_NEXT(entry, field) = SIMPLEQ_NEXT(before, field)) == (void *)0) \
            (head)->sqh_last = &SIMPLEQ_NEXT(entry, field); \
        SIMPLEQ_NEXT(before, field) = (entry); \
    } while (0)
#define SIMPLEQ_REMOVE_HEAD(head, field) \
    do { \
        if ((SIMPLEQ_FIRST(head) = SIMPLEQ_NEXT(SIMPLEQ_FIRST(head), field)) == (void *)0) \
            (head)->sqh_last = &SIMPLEQ_FIRST(head); \
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
/* The type of a head begins like that of an entry: the entry before is the one whose `tqe_next` is where `tqe_prev`
   leads, and its own `tqe_prev` comes next. */
#define TAILQ_LAST(head, name) (*(((struct name *)((head)->tqh_last))->tqh_last))
#define TAILQ_PREV(entry, name, field) (*(((struct name *)((entry)->field.tqe_prev))->tqh_last))
#define TAILQ_FOREACH_REVERSE(at, head, name, field) \
    for ((at) = TAILQ_LAST(head, name); (at); (at) = TAILQ_PREV(at, name, field))
#define TAILQ_INSERT_AFTER(head, before, entry, field) \
    do { \
        if ((TAILQ_NEXT(entry, field) = TAILQ_NEXT(before, field)) != (void *)0) \
            TAILQ_NEXT(entry, field)->field.tqe_prev = &TAILQ_NEXT(entry, field); \
        else \
            (head)->tqh_last = &TAILQ_NEXT(entry, field); \
        TAILQ_NEXT(before, field) = (entry); \
        (entry)->field.tqe_prev = &TAILQ_NEXT(before, field); \
    } while (0)
#define TAILQ_INSERT_BEFORE(after, entry, field) \
    do { \
        (entry)->field.tqe_prev = (after)->field.tqe_prev; \
        TAILQ_NEXT(entry, field) = (after); \
        *(after)->field.tqe_prev = (entry); \
        (after)->field.tqe_prev = &TAILQ_NEXT(entry, field); \
    } while (0)
#define TAILQ_CONCAT(one, other, field) \
    do { \
        if (!TAILQ_EMPTY(other)) { \
            *(one)->tqh_last = TAILQ_FIRST(other); \
            TAILQ_FIRST(other)->field.tqe_prev = (one)->tqh_last; \
            (one)->tqh_last = (other)->tqh_last; \
            TAILQ_INIT(other); \
        } \
    } while (0)
