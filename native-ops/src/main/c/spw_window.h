/*
 * Window functions over sorted rows. See spw_abi_window.h for each kernel.
 */
#ifndef SPW_WINDOW_H
#define SPW_WINDOW_H

#include "spw_base.h"

#define SPW_DECLARE_WINDOW(suffix)                                                  \
  int64_t spw_window_mark##suffix(spw_window *block);                               \
  int64_t spw_window_keep##suffix(spw_window *block);                               \
  int64_t spw_window_run##suffix(spw_window *block, int32_t from, int32_t to);      \
  int64_t spw_window_end##suffix(spw_window *block, int32_t partition);             \
  int64_t spw_window_spread_over##suffix(spw_window_spread *block, int32_t rows);   \
  int64_t spw_window_spread_skip##suffix(spw_window_spread *block, int32_t rows);
SPW_LEVELS(SPW_DECLARE_WINDOW)

#define SPW_WINDOW_MAX_ROWS 65536

#endif
