/* Magnitudes of 384 bits: what products and quotients of decimals of 38 digits need on the way. */
#ifndef SPW_WIDE_H
#define SPW_WIDE_H

#include "spw_base.h"

#define SPW_LONG_LIMBS 6
#define SPW_TEN_18 UINT64_C(1000000000000000000)

typedef struct spw_long {
  uint64_t limb[SPW_LONG_LIMBS]; /* the lowest first */
} spw_long;

SPW_INLINE spw_long spw_long_of(spw_uwide value) {
  spw_long n = {{(uint64_t)value, (uint64_t)(value >> 64)}};
  return n;
}

SPW_INLINE int spw_long_compare(const spw_long *a, const spw_long *b) {
  for (int i = SPW_LONG_LIMBS - 1; i >= 0; i--) {
    if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
  }
  return 0;
}

static inline void spw_long_mul(spw_long *n, uint64_t factor) {
  spw_uwide carry = 0;
  for (int i = 0; i < SPW_LONG_LIMBS; i++) {
    carry += (spw_uwide)n->limb[i] * factor;
    n->limb[i] = (uint64_t)carry;
    carry >>= 64;
  }
}

static inline void spw_long_mul_power(spw_long *n, int32_t exponent) {
  for (; exponent > 18; exponent -= 18) spw_long_mul(n, SPW_TEN_18);
  spw_long_mul(n, (uint64_t)spw_power_of_ten(exponent));
}

static inline spw_long spw_long_product(spw_uwide a, spw_uwide b) {
  spw_long low = spw_long_of(a), high = low;
  spw_long_mul(&low, (uint64_t)b);
  spw_long_mul(&high, (uint64_t)(b >> 64));
  spw_uwide carry = 0;
  for (int i = 1; i < SPW_LONG_LIMBS; i++) {
    carry += (spw_uwide)low.limb[i] + high.limb[i - 1];
    low.limb[i] = (uint64_t)carry;
    carry >>= 64;
  }
  return low;
}

static inline void spw_long_add(spw_long *a, const spw_long *b) {
  spw_uwide carry = 0;
  for (int i = 0; i < SPW_LONG_LIMBS; i++) {
    carry += (spw_uwide)a->limb[i] + b->limb[i];
    a->limb[i] = (uint64_t)carry;
    carry >>= 64;
  }
}

/* a -= b, which is not above a. */
static inline void spw_long_sub(spw_long *a, const spw_long *b) {
  uint64_t borrow = 0;
  for (int i = 0; i < SPW_LONG_LIMBS; i++) {
    const spw_uwide difference = (spw_uwide)a->limb[i] - b->limb[i] - borrow;
    a->limb[i] = (uint64_t)difference;
    borrow = (uint64_t)(difference >> 64) & 1;
  }
}

/* Returns the remainder. */
static inline uint64_t spw_long_div(spw_long *n, uint64_t divisor) {
  spw_uwide rest = 0;
  for (int i = SPW_LONG_LIMBS - 1; i >= 0; i--) {
    rest = rest << 64 | n->limb[i];
    n->limb[i] = (uint64_t)(rest / divisor);
    rest %= divisor;
  }
  return (uint64_t)rest;
}

/* Likewise by up to 127 bits. */
static inline spw_uwide spw_long_div_wide(spw_long *n, spw_uwide divisor) {
  if (divisor >> 64 == 0) return spw_long_div(n, (uint64_t)divisor);
  spw_uwide rest = 0;
  for (int bit = SPW_LONG_LIMBS * 64 - 1; bit >= 0; bit--) {
    uint64_t *limb = &n->limb[bit / 64];
    const uint64_t mask = UINT64_C(1) << (bit % 64);
    rest = rest << 1 | ((*limb & mask) != 0);
    if (rest >= divisor) {
      rest -= divisor;
      *limb |= mask;
    } else {
      *limb &= ~mask;
    }
  }
  return rest;
}

/* n / 10^digits, half up: the first of the dropped digits decides. */
static inline void spw_long_round(spw_long *n, int32_t digits) {
  if (digits <= 0) return;
  for (; digits > 19; digits -= 18) spw_long_div(n, SPW_TEN_18);
  if (digits > 1) spw_long_div(n, (uint64_t)spw_power_of_ten(digits - 1));
  if (spw_long_div(n, 10) >= 5) {
    const spw_long one = {{1}};
    spw_long_add(n, &one);
  }
}

#endif
