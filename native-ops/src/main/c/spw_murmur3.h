/* Murmur3, 32 bits, as Spark computes it: the bytes behind the last whole word are mixed one by one. */
#ifndef SPW_MURMUR3_H
#define SPW_MURMUR3_H

#include "spw_base.h"

SPW_INLINE uint32_t spw_murmur3_mix(uint32_t hash, uint32_t word) {
  word *= 0xcc9e2d51u;
  word = word << 15 | word >> 17;
  word *= 0x1b873593u;
  hash ^= word;
  hash = hash << 13 | hash >> 19;
  return hash * 5 + 0xe6546b64u;
}

SPW_INLINE uint32_t spw_murmur3_finish(uint32_t hash, uint32_t length) {
  hash ^= length;
  hash ^= hash >> 16;
  hash *= 0x85ebca6bu;
  hash ^= hash >> 13;
  hash *= 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

SPW_INLINE uint32_t spw_murmur3_int(uint32_t seed, uint32_t value) {
  return spw_murmur3_finish(spw_murmur3_mix(seed, value), 4);
}

SPW_INLINE uint32_t spw_murmur3_long(uint32_t seed, uint64_t value) {
  const uint32_t hash = spw_murmur3_mix(seed, (uint32_t)value);
  return spw_murmur3_finish(spw_murmur3_mix(hash, (uint32_t)(value >> 32)), 8);
}

static inline uint32_t spw_murmur3_bytes(uint32_t seed, const uint8_t *bytes, uint32_t length) {
  uint32_t hash = seed, i = 0;
  for (; i + 4 <= length; i += 4) {
    uint32_t word;
    memcpy(&word, bytes + i, 4);
    hash = spw_murmur3_mix(hash, word);
  }
  for (; i < length; i++) hash = spw_murmur3_mix(hash, (uint32_t)(int32_t)(int8_t)bytes[i]);
  return spw_murmur3_finish(hash, length);
}

/* By the bits, a negative zero as a positive one and one NaN for all. */
SPW_INLINE uint32_t spw_murmur3_f32(uint32_t seed, uint32_t bits) {
  const uint32_t magnitude = bits & 0x7fffffffu;
  return spw_murmur3_int(seed, magnitude == 0 ? 0 : magnitude > 0x7f800000u ? 0x7fc00000u : bits);
}

SPW_INLINE uint32_t spw_murmur3_f64(uint32_t seed, uint64_t bits) {
  const uint64_t magnitude = bits & UINT64_C(0x7fffffffffffffff);
  const uint64_t nan = UINT64_C(0x7ff8000000000000);
  return spw_murmur3_long(seed, magnitude == 0 ? 0 : magnitude > UINT64_C(0x7ff0000000000000) ? nan : bits);
}

/* The shortest big-endian bytes in two's complement, as java.math.BigInteger gives them. */
static inline uint32_t spw_murmur3_wide(uint32_t seed, spw_wide value) {
  uint8_t bytes[16];
  spw_uwide left = (spw_uwide)value;
  for (int i = 15; i >= 0; i--, left >>= 8) bytes[i] = (uint8_t)left;
  const uint8_t sign = value < 0 ? 0xff : 0;
  uint32_t first = 0;
  while (first < 15 && bytes[first] == sign && (bytes[first + 1] & 0x80) == (sign & 0x80)) first++;
  return spw_murmur3_bytes(seed, bytes + first, 16 - first);
}

#endif
