//: about Arguments that are not used cost nothing: the program is computed while it is read
//: check sc holds
#include <assert.h>

int main(int argc, char **argv)
{
	int x = 2;

	(void)argc;
	(void)argv;
	assert(x == 2);
}
