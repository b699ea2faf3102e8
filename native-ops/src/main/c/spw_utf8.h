/*
 * Text as Spark's strings count it: by first bytes alone. A byte that starts no character counts as
 * one; a character cut off at the end ends with the text.
 */
#ifndef SPW_UTF8_H
#define SPW_UTF8_H

#include "spw_base.h"

typedef struct spw_text {
  const uint8_t *bytes;
  uint32_t length;
} spw_text;

SPW_INLINE spw_text spw_text_of(const spw_string *s) { return (spw_text){spw_bytes(s, 0), s->length}; }

SPW_INLINE uint32_t spw_char_bytes(uint8_t first) {
  return first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
}

/* Where the character at `at` ends. */
SPW_INLINE uint32_t spw_char_end(spw_text t, uint32_t at) {
  const uint32_t end = at + spw_char_bytes(t.bytes[at]);
  return end < t.length ? end : t.length;
}

static inline uint32_t spw_chars(spw_text t) {
  uint32_t chars = 0;
  for (uint32_t i = 0; i < t.length; i += spw_char_bytes(t.bytes[i])) chars++;
  return chars;
}

/* The byte at which `chars` characters from byte `from` on end. */
static inline uint32_t spw_skip(spw_text t, uint32_t from, int64_t chars) {
  uint32_t at = from;
  for (; at < t.length && chars > 0; chars--) at = spw_char_end(t, at);
  return at;
}

/* Characters [start, until), both of which may lie outside. */
static inline spw_text spw_slice(spw_text t, int64_t start, int64_t until) {
  spw_text out = {t.bytes, 0};
  if (until <= start || start >= (int64_t)t.length) return out;
  const uint32_t from = spw_skip(t, 0, start);
  const uint32_t to = spw_skip(t, from, until - (start > 0 ? start : 0));
  out.bytes = t.bytes + from;
  out.length = to - from;
  return out;
}

/* The byte from `from` on at which `part` begins, or -1. An empty part is found at once. */
static inline int64_t spw_find(spw_text t, spw_text part, uint32_t from) {
  if (from > t.length) return -1;
  if (part.length == 0) return from;
  while (t.length - from >= part.length) {
    const uint8_t *hit = memchr(t.bytes + from, part.bytes[0], t.length - from - part.length + 1);
    if (hit == NULL) return -1;
    from = (uint32_t)(hit - t.bytes);
    if (memcmp(hit, part.bytes, part.length) == 0) return from;
    from++;
  }
  return -1;
}

static inline int spw_is_ascii(spw_text t) {
  uint32_t i = 0;
  for (; i + 8 <= t.length; i += 8) {
    uint64_t eight;
    memcpy(&eight, t.bytes + i, 8);
    if ((eight & UINT64_C(0x8080808080808080)) != 0) return 0;
  }
  for (; i < t.length; i++) {
    if (t.bytes[i] >= 0x80) return 0;
  }
  return 1;
}

/* Well-formed, as the Unicode standard says (table 3-7). */
static inline int spw_is_utf8(spw_text t) {
  for (uint32_t i = 0; i < t.length;) {
    const uint8_t first = t.bytes[i];
    const uint32_t n = spw_char_bytes(first);
    if (n == 1) {
      if (first >= 0x80) return 0;
      i++;
      continue;
    }
    if (n > t.length - i) return 0;
    const uint8_t second = t.bytes[i + 1];
    const uint8_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const uint8_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (second < low || second > high) return 0;
    for (uint32_t k = 2; k < n; k++) {
      if ((t.bytes[i + k] & 0xc0) != 0x80) return 0;
    }
    i += n;
  }
  return 1;
}

#endif
