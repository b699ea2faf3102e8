/*
 * Strings to numbers and dates where they are written plainly; anything else, right or wrong, is the
 * host's. And SPW_HOST, where everything is.
 */
#include "spw_date.h"
#include "spw_expr_step.h"

#define MOST_PLAIN_DIGITS 18

/* An optional minus and up to 18 digits; 0 if it is not that. */
static int plain_integer(const uint8_t *text, uint32_t length, int64_t *out) {
  const int negative = length > 0 && text[0] == '-';
  const uint32_t digits = length - (uint32_t)negative;
  if (digits < 1 || digits > MOST_PLAIN_DIGITS) return 0;
  int64_t value = 0;
  for (uint32_t i = (uint32_t)negative; i < length; i++) {
    const uint8_t digit = (uint8_t)(text[i] - '0');
    if (digit > 9) return 0;
    value = value * 10 + digit;
  }
  *out = negative ? -value : value;
  return 1;
}

/* Whether the destination's type holds the value; writes it if so. */
static int put_integer(const spw_step *s, int32_t row, int64_t value) {
  switch (s->dst_type) {
    case SPW_I8: ((spw_i8 *)s->values)[row] = (int8_t)value; return value == (int8_t)value;
    case SPW_I16: ((spw_i16 *)s->values)[row] = (int16_t)value; return value == (int16_t)value;
    case SPW_I32: ((spw_i32 *)s->values)[row] = (int32_t)value; return value == (int32_t)value;
    default: ((spw_i64 *)s->values)[row] = value; return 1;
  }
}

static int plain_date(const uint8_t *text, uint32_t length, int32_t *out) {
  if (length != 10 || text[4] != '-' || text[7] != '-') return 0;
  int32_t fields[3] = {0, 0, 0};
  for (int i = 0, field = 0; i < 10; i++) {
    if (i == 4 || i == 7) {
      field++;
      continue;
    }
    const uint8_t digit = (uint8_t)(text[i] - '0');
    if (digit > 9) return 0;
    fields[field] = fields[field] * 10 + digit;
  }
  const int32_t year = fields[0], month = fields[1], day = fields[2];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > spw_month_days(year, month)) return 0;
  *out = (int32_t)spw_days_of(year, month, day);
  return 1;
}

int SPW_FN(spw_step_parse)(const spw_step *s) {
  int result = 0;
  for (int32_t i = 0; i < s->rows; i++) {
    uint8_t null = (uint8_t)spw_null_at(&s->a, i);
    if (!null && s->op == SPW_HOST) {
      null = SPW_HOST_ROW;
    } else if (!null) {
      const spw_string *text = (const spw_string *)s->a.values + (size_t)i * spw_stride(&s->a);
      if (s->op == SPW_STR_TO_INT) {
        int64_t value;
        null = SPW_HOST_ROW;
        if (plain_integer(spw_bytes(text, 0), text->length, &value)) null = !put_integer(s, i, value);
      } else {
        int32_t days = 0;
        if (!plain_date(spw_bytes(text, 0), text->length, &days)) null = SPW_HOST_ROW;
        ((spw_i32 *)s->values)[i] = days;
      }
    }
    s->nulls[i] = null;
    result |= null == SPW_HOST_ROW ? SPW_STEP_HOST : null;
  }
  return result;
}
