/*
 * Spark's UnsafeRow, to and from columns: null bits (one a field, in words of 8 bytes), one word a
 * field, then what does not fit a word, each piece padded to 8 bytes.
 */
#ifndef SPW_UNSAFE_ROW_H
#define SPW_UNSAFE_ROW_H

#include "spw_base.h"

#define SPW_DECLARE_UNSAFE_ROW(suffix)                              \
  int64_t spw_rows_to_columns##suffix(spw_row_batch *block);        \
  int64_t spw_columns_to_rows##suffix(spw_row_batch *block, int32_t start);
SPW_LEVELS(SPW_DECLARE_UNSAFE_ROW)

#endif
