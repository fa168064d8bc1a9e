struct node {
	long left, right;
};

static int value(struct node n)
{
	return n.left + n.right;
}

int sum_of_pair(void)
{
	struct node n = { 4, 8 };
	return value(n);
}
