/*
 * Spark's partition of a row: Murmur3 (x86, 32 bits) over the columns, each hash the next one's
 * seed, a null leaving it as it is. Spark's variant mixes every byte behind the last whole word by
 * itself, sign-extended.
 */
#include "spw_exchange.h"

#define SPW_SPARK_SEED 42u

SPW_INLINE uint32_t rotate(uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

SPW_INLINE uint32_t mix_k(uint32_t k) { return rotate(k * 0xcc9e2d51u, 15) * 0x1b873593u; }

SPW_INLINE uint32_t mix_h(uint32_t h, uint32_t k) { return rotate(h ^ mix_k(k), 13) * 5 + 0xe6546b64u; }

SPW_INLINE uint32_t finish(uint32_t h, uint32_t length) {
  h ^= length;
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

SPW_INLINE uint32_t hash_int(int32_t value, uint32_t seed) { return finish(mix_h(seed, (uint32_t)value), 4); }

SPW_INLINE uint32_t hash_long(int64_t value, uint32_t seed) {
  const uint64_t bits = (uint64_t)value;
  return finish(mix_h(mix_h(seed, (uint32_t)bits), (uint32_t)(bits >> 32)), 8);
}

/* Every NaN hashes as the canonical one, -0.0 as 0.0. */
SPW_INLINE uint32_t hash_float(float value, uint32_t seed) {
  int32_t bits;
  memcpy(&bits, &value, 4);
  return hash_int(value == 0 ? 0 : value != value ? 0x7fc00000 : bits, seed);
}

SPW_INLINE uint32_t hash_double(double value, uint32_t seed) {
  int64_t bits;
  memcpy(&bits, &value, 8);
  return hash_long(value == 0 ? 0 : value != value ? INT64_C(0x7ff8000000000000) : bits, seed);
}

static uint32_t hash_bytes(const uint8_t *bytes, uint32_t length, uint32_t h) {
  const uint32_t whole = length & ~3u;
  for (uint32_t i = 0; i < whole; i += 4) {
    uint32_t word;
    memcpy(&word, bytes + i, 4);
    h = mix_h(h, word);
  }
  for (uint32_t i = whole; i < length; i++) h = mix_h(h, (uint32_t)(int32_t)(int8_t)bytes[i]);
  return finish(h, length);
}

/* As the fewest big-endian bytes in two's complement, the form that Java's BigInteger gives. */
static uint32_t hash_wide(spw_wide value, uint32_t seed) {
  uint8_t bytes[16];
  for (int i = 15; i >= 0; i--, value >>= 8) bytes[i] = (uint8_t)value;
  uint32_t first = 0;
  while (first < 15 && ((bytes[first] == 0 && bytes[first + 1] < 0x80) ||
                        (bytes[first] == 0xff && bytes[first + 1] >= 0x80))) {
    first++;
  }
  return hash_bytes(bytes + first, 16 - first, seed);
}

#define SPW_HASH_COLUMN(T, HASH)                                                           \
  do {                                                                                     \
    const T *v = spw_at(column->values);                                                   \
    for (int32_t i = 0; i < rows; i++) {                                                   \
      if (n[(size_t)i * ns] == 0) hashes[i] = HASH(v[(size_t)i * stride], hashes[i]);      \
    }                                                                                      \
  } while (0)

SPW_INLINE uint32_t hash_bool(uint8_t value, uint32_t seed) { return hash_int(value != 0, seed); }

static void hash_column(const spw_column *column, int32_t rows, spw_u32 *hashes) {
  const size_t stride = column->kind == SPW_VECTOR, ns = column->nulls != 0 ? stride : 0;
  const uint8_t *n = column->nulls != 0 ? spw_at(column->nulls) : &spw_not_null;
  switch (column->type) {
    case SPW_BOOL: SPW_HASH_COLUMN(uint8_t, hash_bool); break;
    case SPW_I8: SPW_HASH_COLUMN(spw_i8, hash_int); break;
    case SPW_I16: SPW_HASH_COLUMN(spw_i16, hash_int); break;
    case SPW_I32: SPW_HASH_COLUMN(spw_i32, hash_int); break;
    case SPW_I64: SPW_HASH_COLUMN(spw_i64, hash_long); break;
    case SPW_F32: SPW_HASH_COLUMN(spw_f32, hash_float); break;
    case SPW_F64: SPW_HASH_COLUMN(spw_f64, hash_double); break;
    case SPW_I128: SPW_HASH_COLUMN(spw_i128, hash_wide); break;
    default: {
      const spw_string *v = spw_at(column->values);
      for (int32_t i = 0; i < rows; i++) {
        const spw_string *s = &v[(size_t)i * stride];
        if (n[(size_t)i * ns] == 0) hashes[i] = hash_bytes(spw_bytes(s, 0), s->length, hashes[i]);
      }
    }
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
