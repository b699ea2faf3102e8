/* The fuzzer of window functions. */
#ifndef SPW_FUZZ_WINDOW_H
#define SPW_FUZZ_WINDOW_H

#include "fuzz.h"

void fuzz_window(rng *r, const kernels *levels, int nlevels);

#endif
