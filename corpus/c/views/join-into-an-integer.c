//: about Results of threads, received as integers: through `void **`, through `void *`, in an array and in a structure
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static struct {
    int count;
    uintptr_t sum;
} total;

static void *square(void *number)
{
    intptr_t n = (intptr_t)number;
    return (void *)(n * n);
}

int main(void)
{
    pthread_t threads[3];
    intptr_t first = 0, results[2] = { 0, 0 };
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, square, (void *)(i + 2));
    pthread_join(threads[0], (void **)&first);
    pthread_join(threads[1], (void *)&results[1]);
    pthread_join(threads[2], (void *)&total.sum);
    assert(first == 4 && results[0] == 0 && results[1] == 9);
    assert(total.count == 0 && total.sum == 16);
    return 0;
}
