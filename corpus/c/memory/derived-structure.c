//: about A constructor of the base allocates what the caller says, and the caller knows the derived structure
//: check sc holds
//: check tso holds
#include <assert.h>
#include <stdlib.h>
struct object { int refs; };
struct buffer { struct object base; unsigned long len; };
struct shape { struct object base; int w; };
static struct object *make(size_t size)
{
	struct object *o = malloc(size);
	if (o) o->refs = 1;
	return o;
}
int main(void)
{
	struct buffer *b = (struct buffer *)make(sizeof(struct buffer));
	if (!b) return 0;
	b->len = 2;
	assert(b->len == 2 && b->base.refs == 1);
	return 0;
}
