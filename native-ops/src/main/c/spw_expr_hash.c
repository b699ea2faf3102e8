/* MURMUR3: one value more in a chain of hashes. */
#include "spw_expr_step.h"
#include "spw_murmur3.h"

#define SPW_HASH_LOOP(T, EXPR)                                             \
  do {                                                                     \
    const T *a = s->a.values;                                              \
    for (int32_t i = 0; i < s->rows; i++) {                                \
      uint32_t seed = (uint32_t)b[(size_t)i * spw_stride(&s->b)];          \
      const uint8_t null = (uint8_t)spw_null_at(&s->b, i);                 \
      if (!spw_null_at(&s->a, i)) {                                        \
        const T x = a[(size_t)i * spw_stride(&s->a)];                      \
        seed = (EXPR);                                                     \
      }                                                                    \
      d[i] = (int32_t)seed;                                                \
      s->nulls[i] = null;                                                  \
      any |= null;                                                         \
    }                                                                      \
  } while (0)

int SPW_FN(spw_step_hash)(const spw_step *s) {
  const spw_i32 *b = s->b.values;
  spw_i32 *d = s->values;
  uint8_t any = 0;
  switch (s->type) {
    case SPW_BOOL: SPW_HASH_LOOP(uint8_t, spw_murmur3_int(seed, x != 0)); break;
    case SPW_I8: SPW_HASH_LOOP(spw_i8, spw_murmur3_int(seed, (uint32_t)(int32_t)x)); break;
    case SPW_I16: SPW_HASH_LOOP(spw_i16, spw_murmur3_int(seed, (uint32_t)(int32_t)x)); break;
    case SPW_I32: SPW_HASH_LOOP(spw_i32, spw_murmur3_int(seed, (uint32_t)x)); break;
    case SPW_I64: SPW_HASH_LOOP(spw_i64, spw_murmur3_long(seed, (uint64_t)x)); break;
    case SPW_F32: SPW_HASH_LOOP(spw_u32, spw_murmur3_f32(seed, x)); break;
    case SPW_F64: SPW_HASH_LOOP(spw_u64, spw_murmur3_f64(seed, x)); break;
    case SPW_I128: SPW_HASH_LOOP(spw_i128, spw_murmur3_wide(seed, x)); break;
    default: SPW_HASH_LOOP(spw_string, spw_murmur3_bytes(seed, spw_bytes(&x, 0), x.length)); break;
  }
  return any;
}
