/*
 * Columns: selecting, decoding, widening. See spw_abi.h for each.
 */
#ifndef SPW_COLUMNS_H
#define SPW_COLUMNS_H

#include "spw_base.h"

#define SPW_DECLARE_COLUMNS(suffix)                                                                            \
  int64_t spw_select##suffix(uint64_t values, uint64_t nulls, int32_t rows, uint64_t out);                     \
  int64_t spw_take##suffix(uint64_t in, uint64_t out, int32_t ncolumns, uint64_t selection, int32_t count);    \
  int64_t spw_dictionary##suffix(int32_t type, uint64_t dictionary, int32_t entries, uint64_t ids,             \
                                 uint64_t nulls, int32_t rows, uint64_t out);                                  \
  int64_t spw_strings##suffix(uint64_t offsets, uint64_t lengths, uint64_t data, uint64_t data_bytes,          \
                              uint64_t nulls, int32_t rows, uint64_t out);                                     \
  int64_t spw_decimals##suffix(uint64_t offsets, uint64_t lengths, uint64_t data, uint64_t data_bytes,         \
                               uint64_t nulls, int32_t rows, uint64_t out);                                    \
  int64_t spw_widen##suffix(int32_t from, uint64_t in, int32_t rows, uint64_t out);
SPW_LEVELS(SPW_DECLARE_COLUMNS)

#endif
