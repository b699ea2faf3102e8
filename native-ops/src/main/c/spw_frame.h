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

SPW_INLINE int64_t spw_frame_within(int64_t value, int64_t least, int64_t most) {
  return value < least ? least : value > most ? most : value;
}

#endif
