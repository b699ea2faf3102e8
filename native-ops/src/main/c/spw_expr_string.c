/* STARTS_WITH, ENDS_WITH, CONTAINS. */
#include "spw_expr_step.h"

static int contains(const uint8_t *text, uint32_t length, const uint8_t *part, uint32_t part_length) {
  if (part_length == 0) return 1;
  while (length >= part_length) {
    const uint8_t *hit = memchr(text, part[0], length - part_length + 1);
    if (hit == NULL) return 0;
    if (memcmp(hit, part, part_length) == 0) return 1;
    length -= (uint32_t)(hit - text) + 1;
    text = hit + 1;
  }
  return 0;
}

static int matches(int op, const spw_string *a, const spw_string *b) {
  const uint8_t *text = spw_bytes(a, 0), *part = spw_bytes(b, 0);
  if (b->length > a->length) return 0;
  switch (op) {
    case SPW_STARTS_WITH: return memcmp(text, part, b->length) == 0;
    case SPW_ENDS_WITH: return memcmp(text + (a->length - b->length), part, b->length) == 0;
    default: return contains(text, a->length, part, b->length);
  }
}

int SPW_FN(spw_step_string)(const spw_step *s) {
  const spw_string *a = s->a.values, *b = s->b.values;
  const size_t sa = spw_stride(&s->a), sb = spw_stride(&s->b);
  uint8_t *d = s->values;
  int nulls = spw_nulls_two(s, &s->a, &s->b);
  for (int32_t i = 0; i < s->rows; i++) {
    d[i] = s->nulls[i] ? 0 : (uint8_t)matches(s->op, &a[(size_t)i * sa], &b[(size_t)i * sb]);
  }
  return nulls;
}
