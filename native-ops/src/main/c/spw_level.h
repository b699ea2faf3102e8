/* Which builds of the kernels this processor runs: 0 the baseline, 1 also AVX2 with BMI2. */
#ifndef SPW_LEVEL_H
#define SPW_LEVEL_H

int spw_cpu_level(void);

#endif
