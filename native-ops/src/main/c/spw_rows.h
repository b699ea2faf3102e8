/*
 * The row store: rows of any shape in pages. See spw_abi_rows.h for each kernel.
 */
#ifndef SPW_ROWS_H
#define SPW_ROWS_H

#include "spw_index.h"

#define SPW_DECLARE_ROWS(suffix)                                                                     \
  int64_t spw_rows_append##suffix(spw_rows *block, int64_t start);                                   \
  int64_t spw_rows_gather##suffix(spw_rows_out *block);                                              \
  int64_t spw_rows_check##suffix(spw_rows *block, uint64_t page, uint32_t capacity);                 \
  int64_t spw_rows_hash##suffix(uint64_t columns, int32_t ncolumns, int32_t rows, uint64_t out,      \
                                uint64_t any_null);
SPW_LEVELS(SPW_DECLARE_ROWS)

#define SPW_ROWS_MAX_COLUMNS 4096
#define SPW_HEADER_NULLS 32

/* Bytes of null bits behind the row's header. */
SPW_INLINE int32_t spw_rows_null_bytes(int32_t ncolumns) {
  return ncolumns <= SPW_HEADER_NULLS ? 0 : ((ncolumns - SPW_HEADER_NULLS + 63) / 64) * 8;
}

/* The byte of a row that holds a column's null bit, and the bit. */
SPW_INLINE uint64_t spw_rows_null_byte(int32_t column) {
  return column < SPW_HEADER_NULLS ? 8 + (uint64_t)column / 8
                                   : SPW_ROW_HEADER + (uint64_t)(column - SPW_HEADER_NULLS) / 8;
}
SPW_INLINE int spw_rows_null(uint64_t row, int32_t column) {
  const uint8_t *byte = spw_at(row + spw_rows_null_byte(column));
  return *byte >> (column & 7) & 1;
}

/* A layout's slots lie behind header and null bits, inside the row, and aligned. */
SPW_INLINE int64_t spw_rows_check_layout(uint64_t layout, int32_t ncolumns, int32_t row_width) {
  const int32_t front = SPW_ROW_HEADER + spw_rows_null_bytes(ncolumns);
  if (ncolumns < 0 || ncolumns > SPW_ROWS_MAX_COLUMNS || row_width < front || row_width > (1 << 20) ||
      row_width % 8 != 0 || (ncolumns > 0 && !spw_aligned(layout))) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_key *slots = spw_at(layout);
  for (int32_t c = 0; c < ncolumns; c++) {
    const int32_t width = spw_width(slots[c].type), bytes = width == 16 ? 16 : 8;
    if (width == 0) return SPW_BAD_TYPE;
    if (slots[c].offset < front || slots[c].offset % 8 != 0 || slots[c].offset > row_width - bytes) {
      return SPW_BAD_ARGUMENT;
    }
  }
  return 0;
}

#endif
