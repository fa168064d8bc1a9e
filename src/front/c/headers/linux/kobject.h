#pragma once
/* Objects with a counter of references, whose type says what is done after the last one. User space sees nothing of
   them here. */
#include <linux/container_of.h>
#include <linux/fs.h>
#include <linux/kref.h>
struct kobject;
struct kobj_type { void (*release)(struct kobject *object); };
struct kobject { struct kobject *parent; const struct kobj_type *ktype; struct kref kref; };
#define kobject_init(object, type) \
    ({ struct kobject *__object = (object); kref_init(&__object->kref); __object->ktype = (type); })
#define kobject_get(object) \
    ({ struct kobject *__object = (object); if (__object) kref_get(&__object->kref); __object; })
#define kobject_get_unless_zero(object) \
    ({ struct kobject *__object = (object); kref_get_unless_zero(&__object->kref) ? __object : (struct kobject *)0; })
static void __kobject_release(struct kref *references)
{
    struct kobject *object = container_of(references, struct kobject, kref);
    if (object->ktype && object->ktype->release)
        object->ktype->release(object);
}
#define kobject_put(object) \
    ({ struct kobject *__object = (object); if (__object) (void)kref_put(&__object->kref, __kobject_release); })
#define kobject_add(object, above, ...) \
    ((void)printf(__VA_ARGS__), (object)->parent = (above), __fencepost_operations(), __zero_or_error())
#define kobject_init_and_add(object, type, above, ...) \
    ({ struct kobject *__added = (object); kobject_init(__added, type); kobject_add(__added, above, __VA_ARGS__); })
#define kobject_del(object) ((void)(object))
