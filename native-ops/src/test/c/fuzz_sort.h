/* The fuzzer of the sort. */
#ifndef SPW_FUZZ_SORT_H
#define SPW_FUZZ_SORT_H

#include "fuzz.h"

void fuzz_sort(rng *r, const kernels *levels, int nlevels);
void fuzz_sort_first(rng *r, const kernels *levels, int nlevels);

/* Below, equal or above 0: two values that are not null, ascending. */
int fuzz_order_values(const spw_column *x, int64_t i, const spw_column *y, int64_t j);

#endif
