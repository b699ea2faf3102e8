#ifndef SPW_FUZZ_JOIN_H
#define SPW_FUZZ_JOIN_H

#include "fuzz.h"

void fuzz_join(rng *r, const kernels *levels, int nlevels);

#endif
