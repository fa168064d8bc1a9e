//: about The number of arguments is not negative
//: check sc holds
#include <assert.h>

int main(int argc, char *argv[])
{
	assert(argc >= 0);
}
