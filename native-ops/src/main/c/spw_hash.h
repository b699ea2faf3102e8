/*
 * One 64-bit hash for keys: multiply to 128 bits and fold. All bits are good; partitions take them
 * from the top, index slots from the bottom, salts from bits 32 to 47.
 */
#ifndef SPW_HASH_H
#define SPW_HASH_H

#include "spw_base.h"

#define SPW_HASH_SEED UINT64_C(0x9ae16a3b2f90404f)
#define SPW_HASH_VALUE UINT64_C(0xd6e8feb86659fd93)
#define SPW_HASH_BYTES UINT64_C(0xa0761d6478bd642f)
#define SPW_HASH_FINAL UINT64_C(0xe7037ed1a0b428db)
#define SPW_HASH_NULL UINT64_C(0x8ebc6af09c88c6e3)

SPW_INLINE uint64_t spw_fold(uint64_t a, uint64_t b) {
  const spw_uwide product = (spw_uwide)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Adds a value of up to 8 bytes. */
SPW_INLINE uint64_t spw_hash_add(uint64_t hash, uint64_t value) { return spw_fold(hash ^ value, SPW_HASH_VALUE); }

SPW_INLINE uint64_t spw_hash_finish(uint64_t hash) { return spw_fold(hash ^ SPW_HASH_SEED, SPW_HASH_FINAL); }

SPW_INLINE uint64_t spw_load64(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, 8);
  return value;
}

/* Adds a string; what a short one is padded with is part of its hash, so it is zero (spw_abi.h). */
static inline uint64_t spw_hash_add_string(uint64_t hash, const spw_string *s) {
  hash = spw_fold(hash ^ s->length, SPW_HASH_BYTES);
  if (s->length <= SPW_INLINE_BYTES) {
    uint32_t prefix;
    memcpy(&prefix, s->prefix, 4);
    return spw_fold(hash ^ s->tail.address, prefix ^ SPW_HASH_VALUE);
  }
  const uint8_t *bytes = spw_bytes(s, 0);
  uint32_t left = s->length;
  for (; left > 16; left -= 16, bytes += 16) {
    hash = spw_fold(hash ^ spw_load64(bytes), spw_load64(bytes + 8) ^ SPW_HASH_VALUE);
  }
  /* At least 13 bytes long: the last 16 or the two ends may overlap what went before. */
  const uint8_t *end = bytes + left;
  if (s->length >= 16) return spw_fold(hash ^ spw_load64(end - 16), spw_load64(end - 8) ^ SPW_HASH_VALUE);
  return spw_fold(hash ^ spw_load64(bytes), spw_load64(end - 8) ^ SPW_HASH_VALUE);
}

#endif
