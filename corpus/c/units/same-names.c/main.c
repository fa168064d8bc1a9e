//: about Functions and structures of one unit are not those of another with the same names
//: check sc holds
#include <assert.h>

struct node {
	int value;
};

static int value(struct node *n)
{
	return n->value;
}

int sum_of_pair(void);

int main(void)
{
	struct node n = { 3 };
	assert(value(&n) == 3);
	assert(sum_of_pair() == 12);
	return 0;
}
