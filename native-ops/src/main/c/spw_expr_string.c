/* STARTS_WITH, ENDS_WITH, CONTAINS. */
#include "spw_expr_text.h"

static int matches(int op, const spw_string *a, const spw_string *b) {
  const spw_text text = spw_text_of(a), part = spw_text_of(b);
  if (part.length > text.length) return 0;
  switch (op) {
    case SPW_STARTS_WITH: return memcmp(text.bytes, part.bytes, part.length) == 0;
    case SPW_ENDS_WITH: return memcmp(text.bytes + (text.length - part.length), part.bytes, part.length) == 0;
    default: return spw_find(text, part, 0) >= 0;
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
