/* Operands that are strings, row by row. */
#ifndef SPW_EXPR_TEXT_H
#define SPW_EXPR_TEXT_H

#include "spw_expr_step.h"
#include "spw_utf8.h"

SPW_INLINE const spw_string *spw_string_of_row(const spw_operand *x, int32_t row) {
  return (const spw_string *)x->values + (size_t)row * spw_stride(x);
}

SPW_INLINE spw_text spw_text_of_row(const spw_operand *x, int32_t row) {
  return spw_text_of(spw_string_of_row(x, row));
}

#endif
