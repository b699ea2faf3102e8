/* The fuzzer of the sort. */
#ifndef SPW_FUZZ_SORT_H
#define SPW_FUZZ_SORT_H

#include "fuzz.h"

void fuzz_sort(rng *r, const kernels *levels, int nlevels);

#endif
