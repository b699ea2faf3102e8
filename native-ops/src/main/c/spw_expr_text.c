/* What is read off strings, and parts of them: a part refers to the bytes of its whole. */
#include "spw_expr_text.h"

SPW_INLINE int32_t int_at(const spw_operand *x, int32_t row) {
  return ((const spw_i32 *)x->values)[(size_t)row * spw_stride(x)];
}

/* ---- parts ---- */

static spw_text substring(spw_text t, int32_t position, int32_t length) {
  int64_t start = 0;
  if (position > 0) start = (int64_t)position - 1;
  if (position < 0) start = (int64_t)spw_chars(t) + position;
  int64_t until = start + length;
  if (until > INT32_MAX) until = INT32_MAX;
  if (until < INT32_MIN) until = INT32_MIN;
  return spw_slice(t, start, until);
}

/* Whether the character [at, end) is one of those to trim. */
SPW_INLINE int trims(spw_text t, uint32_t at, uint32_t end, spw_text set) {
  if (set.length == 1 && end - at == 1) return t.bytes[at] == set.bytes[0];
  return spw_find(set, (spw_text){t.bytes + at, end - at}, 0) >= 0;
}

static spw_text trim_start(spw_text t, spw_text set) {
  uint32_t at = 0;
  while (at < t.length) {
    const uint32_t end = spw_char_end(t, at);
    if (!trims(t, at, end, set)) break;
    at = end;
  }
  return (spw_text){t.bytes + at, t.length - at};
}

/* Without a set Spark looks at bytes; with one at characters, which are found from the start only. */
static spw_text trim_end(spw_text t, spw_text set, int by_bytes) {
  uint32_t kept = by_bytes ? t.length : 0;
  if (by_bytes) {
    while (kept > 0 && t.bytes[kept - 1] == ' ') kept--;
    return (spw_text){t.bytes, kept};
  }
  for (uint32_t at = 0; at < t.length;) {
    const uint32_t end = spw_char_end(t, at);
    if (!trims(t, at, end, set)) kept = end;
    at = end;
  }
  return (spw_text){t.bytes, kept};
}

static int64_t find_last(spw_text t, spw_text part, int64_t from) {
  for (; from >= 0; from--) {
    if (part.length <= t.length - (uint64_t)from && memcmp(t.bytes + from, part.bytes, part.length) == 0) return from;
  }
  return -1;
}

static spw_text substring_index(spw_text t, spw_text part, int32_t count) {
  const spw_text nothing = {t.bytes, 0};
  if (part.length == 0 || count == 0) return nothing;
  int64_t at = -1;
  if (count > 0) {
    for (int64_t left = count; left > 0; left--) {
      at = spw_find(t, part, (uint32_t)(at + 1));
      if (at < 0) return t;
    }
    return (spw_text){t.bytes, (uint32_t)at};
  }
  at = (int64_t)t.length - part.length + 1;
  for (int64_t left = -(int64_t)count; left > 0; left--) {
    at = at > 0 ? find_last(t, part, at - 1) : -1;
    if (at < 0) return t;
  }
  const uint32_t start = (uint32_t)at + part.length;
  return (spw_text){t.bytes + start, t.length - start};
}

static spw_text part_of(const spw_step *s, int32_t row) {
  const spw_text t = spw_text_of_row(&s->a, row);
  switch (s->op) {
    case SPW_SUBSTRING: return substring(t, int_at(&s->b, row), int_at(&s->c, row));
    case SPW_TRIM: return trim_end(trim_start(t, spw_text_of_row(&s->b, row)), spw_text_of_row(&s->b, row), s->imm);
    case SPW_LTRIM: return trim_start(t, spw_text_of_row(&s->b, row));
    case SPW_RTRIM: return trim_end(t, spw_text_of_row(&s->b, row), s->imm);
    default: return substring_index(t, spw_text_of_row(&s->b, row), int_at(&s->c, row));
  }
}

static int parts(const spw_step *s, int operands) {
  spw_string *d = s->values;
  int any = 0;
  for (int32_t i = 0; i < s->rows; i++) {
    const int null =
        spw_null_at(&s->a, i) | spw_null_at(&s->b, i) | (operands > 2 ? spw_null_at(&s->c, i) : 0);
    spw_string out;
    memset(&out, 0, sizeof out);
    if (!null) {
      const spw_text part = part_of(s, i);
      spw_make_string(&out, part.bytes, part.length);
    }
    d[i] = out;
    s->nulls[i] = (uint8_t)null;
    any |= null;
  }
  return any;
}

/* ---- patterns ---- */

/* Goes on behind the last % whenever what followed it does not match. */
static int like(spw_text t, spw_text p) {
  uint32_t at = 0, in = 0, retry_at = 0, retry_in = 0;
  int retry = 0;
  while (at < t.length) {
    if (in < p.length && p.bytes[in] == SPW_LIKE_MANY) {
      if (++in == p.length) return 1;
      retry = 1;
      retry_in = in;
      retry_at = at;
    } else if (in < p.length && p.bytes[in] == SPW_LIKE_ONE) {
      at = spw_char_end(t, at);
      in++;
      continue;
    } else if (in < p.length && p.bytes[in] == t.bytes[at]) {
      at++;
      in++;
      continue;
    } else if (retry) {
      retry_at = spw_char_end(t, retry_at);
    } else {
      return 0;
    }
    /* Where a literal follows the %, at its next first byte. */
    if (p.bytes[retry_in] < SPW_LIKE_ONE) {
      const uint8_t *hit =
          retry_at < t.length ? memchr(t.bytes + retry_at, p.bytes[retry_in], t.length - retry_at) : NULL;
      if (hit == NULL) return 0;
      retry_at = (uint32_t)(hit - t.bytes);
    }
    at = retry_at;
    in = retry_in;
  }
  while (in < p.length && p.bytes[in] == SPW_LIKE_MANY) in++;
  return in == p.length;
}

/* A _ counts characters, and a character that is none matches the one that stands for it: both are
 * said of well-formed text only, so the host sees to the rest. */
static int likes(const spw_step *s) {
  uint8_t *d = s->values;
  int result = 0;
  for (int32_t i = 0; i < s->rows; i++) {
    const int null = spw_null_at(&s->a, i) | spw_null_at(&s->b, i);
    uint8_t nulls = (uint8_t)null, value = 0;
    if (!null) {
      const spw_text t = spw_text_of_row(&s->a, i);
      if (spw_is_ascii(t) || spw_is_utf8(t)) value = (uint8_t)like(t, spw_text_of_row(&s->b, i));
      else nulls = SPW_HOST_ROW;
    }
    d[i] = value;
    s->nulls[i] = nulls;
    result |= nulls == SPW_HOST_ROW ? SPW_STEP_HOST : nulls;
  }
  return result;
}

/* ---- numbers ---- */

/* Characters before the part, from character `start` on, counted from the text's beginning. */
static int32_t locate(spw_text t, spw_text part, int32_t start) {
  if (start < 1) return 0;
  if (part.length == 0) return 1;
  int32_t chars = 0;
  uint32_t at = 0;
  for (; at < t.length && chars < start - 1; chars++) at = spw_char_end(t, at);
  for (; part.length <= t.length - at; chars++) {
    if (memcmp(t.bytes + at, part.bytes, part.length) == 0) return chars + 1;
    at = spw_char_end(t, at);
  }
  return 0;
}

static int locations(const spw_step *s) {
  spw_i32 *d = s->values;
  int any = 0;
  for (int32_t i = 0; i < s->rows; i++) {
    const int null = spw_null_at(&s->a, i) | spw_null_at(&s->b, i) | spw_null_at(&s->c, i);
    d[i] = null ? 0 : locate(spw_text_of_row(&s->a, i), spw_text_of_row(&s->b, i), int_at(&s->c, i));
    s->nulls[i] = (uint8_t)null;
    any |= null;
  }
  return any;
}

static int lengths(const spw_step *s) {
  spw_i32 *d = s->values;
  const int nulls = spw_nulls_one(s, &s->a);
  for (int32_t i = 0; i < s->rows; i++) {
    if (s->nulls[i]) d[i] = 0;
    else d[i] = (int32_t)(s->op == SPW_LENGTH ? spw_chars(spw_text_of_row(&s->a, i))
                                              : spw_string_of_row(&s->a, i)->length);
  }
  return nulls;
}

int SPW_FN(spw_step_text)(const spw_step *s) {
  switch (s->op) {
    case SPW_LENGTH:
    case SPW_BYTES: return lengths(s);
    case SPW_LOCATE: return locations(s);
    case SPW_LIKE: return likes(s);
    case SPW_SUBSTRING:
    case SPW_SUBSTRING_INDEX: return parts(s, 3);
    default: return parts(s, 2);
  }
}
