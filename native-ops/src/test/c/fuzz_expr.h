/* One value of the expression oracle. */
#ifndef SPW_FUZZ_EXPR_H
#define SPW_FUZZ_EXPR_H

#include "fuzz.h"

typedef struct scalar {
  int null;
  int32_t type;
  union {
    uint8_t b;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
    spw_wide i128;
    spw_str str;
  } v;
} scalar;

/* What one instruction gives for one row. */
scalar oracle_instruction(const spw_instr *code, int32_t dst_type, const scalar *a, const scalar *b, const scalar *c);

#endif
