/* The fuzzer of window frames that move with the row. */
#ifndef SPW_FUZZ_FRAME_H
#define SPW_FUZZ_FRAME_H

#include "fuzz.h"

void fuzz_frame(rng *r, const kernels *levels, int nlevels);

#endif
