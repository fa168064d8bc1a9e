// fencepost: about `main` may be called with any number of arguments
// fencepost: check sc violated
#include <assert.h>

int main(int argc, char **argv)
{
	(void)argv;
	assert(argc < 2);
}
