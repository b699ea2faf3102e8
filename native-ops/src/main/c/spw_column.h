/*
 * Columns, row by row: null bytes, and values by their types.
 */
#ifndef SPW_COLUMN_H
#define SPW_COLUMN_H

#include "spw_base.h"

SPW_INLINE size_t spw_column_stride(const spw_column *c) { return c->kind == SPW_VECTOR; }

SPW_INLINE const uint8_t *spw_column_nulls(const spw_column *c) {
  return c->nulls == 0 ? &spw_not_null : spw_at(c->nulls);
}
SPW_INLINE size_t spw_column_null_stride(const spw_column *c) { return c->nulls != 0 && c->kind == SPW_VECTOR; }

/* Whether a row of a VECTOR or CONSTANT is null. */
SPW_INLINE int spw_column_null(const spw_column *c, uint64_t row) {
  return spw_column_nulls(c)[row * spw_column_null_stride(c)] != 0;
}

/* The same of what is known to be a VECTOR. */
SPW_INLINE int spw_vector_null(const spw_column *c, uint64_t row) {
  return c->nulls != 0 && ((const uint8_t *)spw_at(c->nulls))[row] != 0;
}

/* A value of up to 8 bytes as rows have it: sign- or zero-extended, floats their bits. */
SPW_INLINE uint64_t spw_column_small(const spw_column *column, uint64_t row) {
  const uint64_t at = row * spw_column_stride(column);
  const void *values = spw_at(column->values);
  switch (column->type) {
    case SPW_BOOL: return ((const uint8_t *)values)[at];
    case SPW_I8: return (uint64_t)(int64_t)((const spw_i8 *)values)[at];
    case SPW_I16: return (uint64_t)(int64_t)((const spw_i16 *)values)[at];
    case SPW_I32: return (uint64_t)(int64_t)((const spw_i32 *)values)[at];
    case SPW_F32: return ((const spw_u32 *)values)[at];
    default: return ((const spw_u64 *)values)[at];
  }
}

/* A whole number of up to 8 bytes among values of its type. */
SPW_INLINE int64_t spw_whole_at(int32_t type, const void *values, int64_t i) {
  switch (type) {
    case SPW_I8: return ((const spw_i8 *)values)[i];
    case SPW_I16: return ((const spw_i16 *)values)[i];
    case SPW_I32: return ((const spw_i32 *)values)[i];
    default: return ((const spw_i64 *)values)[i];
  }
}

/* Not-null values but strings; floats as Spark orders them. */
SPW_INLINE int spw_less_at(int32_t type, const void *a, int64_t i, const void *b, int64_t j) {
  switch (type) {
    case SPW_BOOL: return ((const spw_u8 *)a)[i] < ((const spw_u8 *)b)[j];
    case SPW_F32: return spw_f32_less(((const spw_f32 *)a)[i], ((const spw_f32 *)b)[j]);
    case SPW_F64: return spw_f64_less(((const spw_f64 *)a)[i], ((const spw_f64 *)b)[j]);
    case SPW_I128: return ((const spw_i128 *)a)[i] < ((const spw_i128 *)b)[j];
    default: return spw_whole_at(type, a, i) < spw_whole_at(type, b, j);
  }
}

#endif
