/* Hashes of key columns, a column at a time. */
#include "spw_agg.h"
#include "spw_hash.h"

/* hashes[i] takes in VALUE over x, or the null's constant: the value of a null row is undefined. */
#define SPW_HASH_LOOP(T, VALUE)                                                             \
  do {                                                                                      \
    const T *v = (const T *)spw_at(column->values) + (uint64_t)base * stride;               \
    for (int32_t i = 0; i < rows; i++) {                                                    \
      const T x = v[(size_t)i * stride];                                                    \
      const uint64_t value = nulls[(size_t)i * null_stride] ? SPW_HASH_NULL : (uint64_t)(VALUE); \
      hashes[i] = spw_hash_add(hashes[i], value);                                           \
    }                                                                                       \
  } while (0)

void SPW_FN(spw_hash_column)(const spw_column *column, int64_t base, int32_t rows, uint64_t *hashes) {
  const size_t stride = spw_column_stride(column), null_stride = spw_column_null_stride(column);
  const uint8_t *nulls = spw_column_nulls(column) + (uint64_t)base * null_stride;
  switch (column->type) {
    case SPW_BOOL: SPW_HASH_LOOP(uint8_t, x); break;
    case SPW_I8: SPW_HASH_LOOP(spw_i8, (int64_t)x); break;
    case SPW_I16: SPW_HASH_LOOP(spw_i16, (int64_t)x); break;
    case SPW_I32: SPW_HASH_LOOP(spw_i32, (int64_t)x); break;
    case SPW_F32: SPW_HASH_LOOP(spw_u32, x); break;
    case SPW_I64:
    case SPW_F64: SPW_HASH_LOOP(spw_u64, x); break;
    case SPW_I128:
      SPW_HASH_LOOP(spw_i128, x);
      SPW_HASH_LOOP(spw_i128, x >> 64);
      break;
    default: {
      const spw_string *v = (const spw_string *)spw_at(column->values) + (uint64_t)base * stride;
      for (int32_t i = 0; i < rows; i++) {
        hashes[i] = nulls[(size_t)i * null_stride] ? spw_hash_add(hashes[i], SPW_HASH_NULL)
                                                   : spw_hash_add_string(hashes[i], &v[(size_t)i * stride]);
      }
    }
  }
}

void SPW_FN(spw_hash_chunk)(const spw_agg *block, int64_t base, int32_t rows, spw_chunk *chunk) {
  const spw_column *keys = spw_key_columns(block);
  memset(chunk->hashes, 0, (size_t)rows * sizeof chunk->hashes[0]);
  memset(chunk->nulls, 0, (size_t)rows * sizeof chunk->nulls[0]);
  for (int32_t k = 0; k < block->nkeys; k++) {
    SPW_FN(spw_hash_column)(&keys[k], base, rows, chunk->hashes);
    if (keys[k].nulls == 0) continue;
    const size_t stride = spw_column_null_stride(&keys[k]);
    const uint8_t *nulls = spw_column_nulls(&keys[k]) + (uint64_t)base * stride;
    for (int32_t i = 0; i < rows; i++) chunk->nulls[i] |= (uint32_t)nulls[(size_t)i * stride] << k;
  }
  if (block->nkeys == 0) return; /* the one group has hash 0 */
  for (int32_t i = 0; i < rows; i++) chunk->hashes[i] = spw_hash_finish(chunk->hashes[i]);
}
