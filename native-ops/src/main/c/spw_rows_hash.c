/* The hash of key columns for rows that belong to no aggregation. */
#include "spw_agg.h"
#include "spw_hash.h"
#include "spw_rows.h"

int64_t SPW_FN(spw_rows_hash)(uint64_t columns, int32_t ncolumns, int32_t rows, uint64_t out, uint64_t any_null) {
  if (ncolumns < 0 || ncolumns > SPW_ROWS_MAX_COLUMNS || rows < 0 || (ncolumns > 0 && !spw_aligned(columns)) ||
      (rows > 0 && !spw_aligned(out))) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_column *column = spw_at(columns);
  for (int32_t c = 0; c < ncolumns; c++) {
    if (spw_width(column[c].type) == 0) return SPW_BAD_TYPE;
    if (column[c].values == 0 || (column[c].kind != SPW_VECTOR && column[c].kind != SPW_CONSTANT)) {
      return SPW_BAD_ARGUMENT;
    }
  }
  uint64_t *hashes = spw_at(out);
  uint8_t *nulls = spw_at(any_null);
  if (rows > 0) memset(hashes, 0, (size_t)rows * sizeof hashes[0]);
  if (rows > 0 && nulls != NULL) memset(nulls, 0, (size_t)rows);
  for (int32_t c = 0; c < ncolumns; c++) {
    SPW_FN(spw_hash_column)(&column[c], 0, rows, hashes);
    if (column[c].nulls == 0 || nulls == NULL) continue;
    const uint8_t *from = spw_at(column[c].nulls);
    const size_t stride = spw_column_null_stride(&column[c]);
    for (int32_t i = 0; i < rows; i++) nulls[i] |= from[(size_t)i * stride] != 0;
  }
  if (ncolumns > 0) {
    for (int32_t i = 0; i < rows; i++) hashes[i] = spw_hash_finish(hashes[i]);
  }
  return rows;
}
