/*
 * Spark's partition of a row: Murmur3 over the columns, each hash the next one's seed, a null leaving
 * it as it is.
 */
#include "spw_column.h"
#include "spw_exchange.h"
#include "spw_murmur3.h"

#define SPW_SPARK_SEED 42u

/* HASH of *x, after `hash`. */
#define SPW_HASH_COLUMN(T, HASH)                                                           \
  do {                                                                                     \
    const T *v = spw_at(column->values);                                                   \
    for (int32_t i = 0; i < rows; i++) {                                                   \
      const T *x = &v[(size_t)i * stride];                                                 \
      const uint32_t hash = hashes[i];                                                     \
      if (n[(size_t)i * ns] == 0) hashes[i] = (HASH);                                      \
    }                                                                                      \
  } while (0)

static void hash_column(const spw_column *column, int32_t rows, spw_u32 *hashes) {
  const size_t stride = spw_column_stride(column), ns = spw_column_null_stride(column);
  const uint8_t *n = spw_column_nulls(column);
  switch (column->type) {
    case SPW_BOOL: SPW_HASH_COLUMN(uint8_t, spw_murmur3_int(hash, *x != 0)); break;
    case SPW_I8: SPW_HASH_COLUMN(spw_i8, spw_murmur3_int(hash, (uint32_t)(int32_t)*x)); break;
    case SPW_I16: SPW_HASH_COLUMN(spw_i16, spw_murmur3_int(hash, (uint32_t)(int32_t)*x)); break;
    case SPW_I32: SPW_HASH_COLUMN(spw_u32, spw_murmur3_int(hash, *x)); break;
    case SPW_I64: SPW_HASH_COLUMN(spw_u64, spw_murmur3_long(hash, *x)); break;
    case SPW_F32: SPW_HASH_COLUMN(spw_u32, spw_murmur3_f32(hash, *x)); break;
    case SPW_F64: SPW_HASH_COLUMN(spw_u64, spw_murmur3_f64(hash, *x)); break;
    case SPW_I128: SPW_HASH_COLUMN(spw_i128, spw_murmur3_wide(hash, *x)); break;
    default: SPW_HASH_COLUMN(spw_string, spw_murmur3_bytes(hash, spw_bytes(x, 0), x->length));
  }
}

int64_t SPW_FN(spw_exchange_hash)(uint64_t columns, int32_t ncolumns, int32_t rows, int32_t partitions, uint64_t out) {
  if (ncolumns < 0 || ncolumns > SPW_EXCHANGE_MAX_COLUMNS || rows < 0 || partitions < 1 ||
      (ncolumns > 0 && !spw_aligned(columns)) || (rows > 0 && out == 0)) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_column *column = spw_at(columns);
  for (int32_t c = 0; c < ncolumns; c++) {
    if (spw_width(column[c].type) == 0) return SPW_BAD_TYPE;
    if (column[c].values == 0 || column[c].kind == SPW_SCRATCH) return SPW_BAD_ARGUMENT;
  }
  spw_u32 *hashes = spw_at(out);
  for (int32_t i = 0; i < rows; i++) hashes[i] = SPW_SPARK_SEED;
  for (int32_t c = 0; c < ncolumns; c++) hash_column(&column[c], rows, hashes);
  for (int32_t i = 0; i < rows; i++) {
    const int32_t rest = (int32_t)hashes[i] % partitions;
    hashes[i] = (uint32_t)(rest < 0 ? rest + partitions : rest);
  }
  return rows;
}
