/*
 * Operations that make strings. Sizes first, so that a chunk is written whole or, where the heap has
 * no room for it, not at all.
 */
#include "spw_expr_text.h"

/* A row's operands; what an operation does not have is empty or 0. */
typedef struct row {
  int op;
  spw_text a, b, c;
  int a_null, b_null;
  spw_wide number;
  int32_t count; /* the I32 operand: times, characters, digits behind the point */
} row;

/* Instead of a size. */
#define SAME_AS_A UINT64_MAX
#define BY_HOST (UINT64_MAX - 1)

#define MOST_DIGITS 40

/* ---- sizes ---- */

/* The decimal digits of a magnitude to the end of `text`; their number. */
static uint32_t digits_of(spw_uwide m, uint8_t *text) {
  uint32_t n = 0;
  while (m >> 64 != 0) {
    uint64_t part = (uint64_t)(m % UINT64_C(1000000000000000000));
    m /= UINT64_C(1000000000000000000);
    for (int i = 0; i < 18; i++, part /= 10) text[MOST_DIGITS - ++n] = (uint8_t)('0' + part % 10);
  }
  uint64_t rest = (uint64_t)m;
  do {
    text[MOST_DIGITS - ++n] = (uint8_t)('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  return n;
}

/* As java.math.BigDecimal writes it; with an exponent, which is the host's, where it is small. */
static uint64_t decimal_size(const row *r) {
  uint8_t text[MOST_DIGITS];
  const uint32_t digits = digits_of(spw_magnitude(r->number), text), scale = (uint32_t)r->count;
  if (r->count < 0 || (scale > 0 && (int64_t)digits - 1 - (int64_t)scale < -6)) return BY_HOST;
  return (uint64_t)(r->number < 0) + (scale == 0 ? digits : digits > scale ? digits + 1 : scale + 2);
}

static uint64_t replaced_size(const row *r) {
  if (r->b.length == 0 || r->a.length == 0) return SAME_AS_A;
  uint64_t hits = 0;
  for (int64_t at = spw_find(r->a, r->b, 0); at >= 0; at = spw_find(r->a, r->b, (uint32_t)at + r->b.length)) hits++;
  return hits == 0 ? SAME_AS_A : r->a.length - hits * r->b.length + hits * r->c.length;
}

/* Characters to add: whole pads, and the first bytes of one more. */
static void padding(const row *r, uint64_t *whole, uint32_t *part) {
  const int64_t missing = (int64_t)r->count - spw_chars(r->a), pad = spw_chars(r->c);
  *whole = (uint64_t)(missing / pad);
  *part = spw_skip(r->c, 0, missing % pad);
}

static uint64_t padded_size(const row *r) {
  if ((int64_t)r->count <= (int64_t)spw_chars(r->a) || r->c.length == 0) return spw_slice(r->a, 0, r->count).length;
  uint64_t whole;
  uint32_t part;
  padding(r, &whole, &part);
  return r->a.length + whole * r->c.length + part;
}

static uint64_t size_of(const row *r) {
  switch (r->op) {
    case SPW_UPPER:
    case SPW_LOWER: return spw_is_ascii(r->a) ? r->a.length : BY_HOST;
    case SPW_REPLACE: return replaced_size(r);
    case SPW_CONCAT: return (uint64_t)r->a.length + r->b.length;
    case SPW_JOIN:
      return r->a_null ? r->b.length : r->b_null ? r->a.length : (uint64_t)r->a.length + r->c.length + r->b.length;
    case SPW_REPEAT: return r->count <= 0 ? 0 : (uint64_t)r->a.length * (uint64_t)r->count;
    case SPW_LPAD:
    case SPW_RPAD: return padded_size(r);
    case SPW_REVERSE: return r->a.length;
    case SPW_DEC_TO_STR: return decimal_size(r);
    default: {
      uint8_t text[MOST_DIGITS];
      return digits_of(spw_magnitude(r->number), text) + (uint64_t)(r->number < 0);
    }
  }
}

/* ---- bytes ---- */

static uint8_t *append(uint8_t *to, spw_text t) {
  if (t.length != 0) memcpy(to, t.bytes, t.length);
  return to + t.length;
}

static void change_case(const row *r, uint8_t *to) {
  const uint8_t first = r->op == SPW_UPPER ? 'a' : 'A';
  for (uint32_t i = 0; i < r->a.length; i++) {
    const uint8_t c = r->a.bytes[i];
    to[i] = (uint8_t)(c - first) < 26 ? c ^ 0x20 : c;
  }
}

static void replace(const row *r, uint8_t *to) {
  uint32_t from = 0;
  for (int64_t at = spw_find(r->a, r->b, 0); at >= 0; at = spw_find(r->a, r->b, from)) {
    to = append(to, (spw_text){r->a.bytes + from, (uint32_t)at - from});
    to = append(to, r->c);
    from = (uint32_t)at + r->b.length;
  }
  append(to, (spw_text){r->a.bytes + from, r->a.length - from});
}

static void pad(const row *r, uint8_t *to) {
  if ((int64_t)r->count <= (int64_t)spw_chars(r->a) || r->c.length == 0) {
    append(to, spw_slice(r->a, 0, r->count));
    return;
  }
  uint64_t whole;
  uint32_t part;
  padding(r, &whole, &part);
  if (r->op == SPW_RPAD) to = append(to, r->a);
  for (; whole > 0; whole--) to = append(to, r->c);
  to = append(to, (spw_text){r->c.bytes, part});
  if (r->op == SPW_LPAD) append(to, r->a);
}

static void reverse(const row *r, uint8_t *to) {
  for (uint32_t at = 0; at < r->a.length;) {
    const uint32_t end = spw_char_end(r->a, at);
    memcpy(to + r->a.length - end, r->a.bytes + at, end - at);
    at = end;
  }
}

static void number(const row *r, uint8_t *to) {
  uint8_t text[MOST_DIGITS];
  const uint32_t digits = digits_of(spw_magnitude(r->number), text);
  const uint32_t scale = r->op == SPW_DEC_TO_STR ? (uint32_t)r->count : 0;
  const uint8_t *first = text + MOST_DIGITS - digits;
  if (r->number < 0) *to++ = '-';
  if (scale == 0) {
    append(to, (spw_text){first, digits});
    return;
  }
  const uint32_t before = digits > scale ? digits - scale : 0;
  if (before == 0) *to++ = '0';
  to = append(to, (spw_text){first, before});
  *to++ = '.';
  for (uint32_t zeros = digits < scale ? scale - digits : 0; zeros > 0; zeros--) *to++ = '0';
  append(to, (spw_text){first + before, digits - before});
}

static void fill(const row *r, uint8_t *to) {
  switch (r->op) {
    case SPW_UPPER:
    case SPW_LOWER: change_case(r, to); break;
    case SPW_REPLACE: replace(r, to); break;
    case SPW_JOIN:
      if (!r->a_null) to = append(to, r->a);
      if (!r->a_null && !r->b_null) to = append(to, r->c);
      if (!r->b_null) append(to, r->b);
      break;
    case SPW_CONCAT: append(append(to, r->a), r->b); break;
    case SPW_REPEAT:
      for (int32_t n = 0; n < r->count; n++) to = append(to, r->a);
      break;
    case SPW_LPAD:
    case SPW_RPAD: pad(r, to); break;
    case SPW_REVERSE: reverse(r, to); break;
    default: number(r, to); break;
  }
}

/* ---- rows ---- */

SPW_INLINE spw_wide number_at(const spw_operand *x, int32_t i) {
  const size_t at = (size_t)i * spw_stride(x);
  switch (x->type) {
    case SPW_I32: return ((const spw_i32 *)x->values)[at];
    case SPW_I64: return ((const spw_i64 *)x->values)[at];
    default: return ((const spw_i128 *)x->values)[at];
  }
}

/* Loads a row; whether it gives null. */
static int load(const spw_step *s, int32_t i, row *r) {
  memset(r, 0, sizeof *r);
  r->op = s->op;
  r->a_null = spw_null_at(&s->a, i);
  switch (s->op) {
    case SPW_JOIN:
      r->b_null = spw_null_at(&s->b, i);
      if ((r->a_null && r->b_null) || spw_null_at(&s->c, i)) return 1;
      if (!r->a_null) r->a = spw_text_of_row(&s->a, i);
      if (!r->b_null) r->b = spw_text_of_row(&s->b, i);
      r->c = spw_text_of_row(&s->c, i);
      return 0;
    case SPW_CONCAT:
    case SPW_REPLACE:
      if (r->a_null || spw_null_at(&s->b, i) || (s->op == SPW_REPLACE && spw_null_at(&s->c, i))) return 1;
      r->b = spw_text_of_row(&s->b, i);
      if (s->op == SPW_REPLACE) r->c = spw_text_of_row(&s->c, i);
      break;
    case SPW_LPAD:
    case SPW_RPAD:
    case SPW_REPEAT:
      if (r->a_null || spw_null_at(&s->b, i) || (s->op != SPW_REPEAT && spw_null_at(&s->c, i))) return 1;
      r->count = (int32_t)number_at(&s->b, i);
      if (s->op != SPW_REPEAT) r->c = spw_text_of_row(&s->c, i);
      break;
    case SPW_DEC_TO_STR:
      if (r->a_null || spw_null_at(&s->b, i)) return 1;
      r->count = (int32_t)number_at(&s->b, i);
      r->number = number_at(&s->a, i);
      return 0;
    case SPW_INT_TO_STR:
      if (!r->a_null) r->number = number_at(&s->a, i);
      return r->a_null;
    default: break;
  }
  if (!r->a_null) r->a = spw_text_of_row(&s->a, i);
  return r->a_null;
}

/* Bytes of the chunk's strings that do not lie inside their values; or how it cannot be. */
static int room_for_all(const spw_step *s) {
  uint64_t bytes = 0;
  row r;
  for (int32_t i = 0; i < s->rows; i++) {
    if (load(s, i, &r)) continue;
    const uint64_t size = size_of(&r);
    if (size >= BY_HOST || size <= SPW_INLINE_BYTES) continue;
    if (size > INT32_MAX) return SPW_STEP_LONG;
    bytes += size;
  }
  if (bytes <= (uint64_t)(s->heap->end - s->heap->next)) return 0;
  s->heap->need = bytes;
  return SPW_STEP_BYTES;
}

int SPW_FN(spw_step_make)(const spw_step *s) {
  int result = room_for_all(s);
  if (result != 0) return result;
  spw_string *d = s->values;
  row r;
  for (int32_t i = 0; i < s->rows; i++) {
    spw_string out;
    memset(&out, 0, sizeof out);
    uint8_t null = (uint8_t)load(s, i, &r);
    const uint64_t size = null ? 0 : size_of(&r);
    if (null) {
      result |= SPW_STEP_NULL;
    } else if (size == BY_HOST) {
      null = SPW_HOST_ROW;
      result |= SPW_STEP_HOST;
    } else if (size == SAME_AS_A) {
      spw_make_string(&out, r.a.bytes, r.a.length);
    } else if (size <= SPW_INLINE_BYTES) {
      uint8_t bytes[SPW_INLINE_BYTES] = {0};
      fill(&r, bytes);
      spw_make_string(&out, bytes, (uint32_t)size);
    } else {
      fill(&r, s->heap->next);
      spw_make_string(&out, s->heap->next, (uint32_t)size);
      s->heap->next += size;
    }
    d[i] = out;
    s->nulls[i] = null;
  }
  return result;
}
