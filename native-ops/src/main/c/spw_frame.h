/*
 * Window frames that move with the row. See spw_abi_frame.h for each kernel.
 */
#ifndef SPW_FRAME_H
#define SPW_FRAME_H

#include "spw_base.h"

#define SPW_DECLARE_FRAME(suffix)                                                       \
  int64_t spw_frame_bounds##suffix(spw_frame *block);                                   \
  int64_t spw_frame_seek##suffix(spw_frame_side *block, int32_t row);                   \
  int64_t spw_frame_start##suffix(spw_frame *block);                                    \
  int64_t spw_frame_run##suffix(spw_frame *block, int32_t function, int32_t row);       \
  int64_t spw_frame_find##suffix(spw_frame_pick *block);
SPW_LEVELS(SPW_DECLARE_FRAME)

#define SPW_FRAME_MAX_ROWS 65536
/* Steps after which spw_frame_run and spw_frame_seek return. */
#define SPW_FRAME_STEPS (1 << 20)

SPW_INLINE int64_t spw_frame_whole(int32_t type, const void *values, int64_t i) {
  switch (type) {
    case SPW_I8: return ((const spw_i8 *)values)[i];
    case SPW_I16: return ((const spw_i16 *)values)[i];
    case SPW_I32: return ((const spw_i32 *)values)[i];
    default: return ((const spw_i64 *)values)[i];
  }
}

/* Not-null values but strings; floats as Spark orders them. */
SPW_INLINE int spw_frame_less(int32_t type, const void *a, int64_t i, const void *b, int64_t j) {
  switch (type) {
    case SPW_BOOL: return ((const spw_u8 *)a)[i] < ((const spw_u8 *)b)[j];
    case SPW_F32: return spw_f32_less(((const spw_f32 *)a)[i], ((const spw_f32 *)b)[j]);
    case SPW_F64: return spw_f64_less(((const spw_f64 *)a)[i], ((const spw_f64 *)b)[j]);
    case SPW_I128: return ((const spw_i128 *)a)[i] < ((const spw_i128 *)b)[j];
    default: return spw_frame_whole(type, a, i) < spw_frame_whole(type, b, j);
  }
}

#endif
