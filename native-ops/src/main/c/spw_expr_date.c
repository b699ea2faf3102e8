/* Parts of dates and timestamps, and dates from dates. */
#include "spw_date.h"
#include "spw_expr_step.h"

/* As Java's int arithmetic. */
SPW_INLINE int32_t plus(int32_t x, int64_t y) { return (int32_t)((uint32_t)x + (uint32_t)y); }

SPW_INLINE int32_t weekday(int32_t days) {
  const int64_t shifted = (int64_t)days + 3;
  return (int32_t)(shifted - spw_floor_div(shifted, 7) * 7);
}

/* The ISO week is that of its Thursday. */
SPW_INLINE int64_t thursday(int32_t days) { return (int64_t)days - weekday(days) + 3; }

/* As Spark's search for the next Monday from a week before, int arithmetic and all. */
static int32_t week_start(int32_t days) {
  const int32_t start = plus(days, -7), distance = (int32_t)(3u - (uint32_t)start);
  return plus(start, 1 + (distance % 7 + 7) % 7);
}

static int32_t part_of(int32_t days, int32_t part) {
  const spw_civil c = spw_civil_of(days);
  switch (part) {
    case SPW_PART_MONTH: return c.month;
    case SPW_PART_DAY: return c.day;
    case SPW_PART_QUARTER: return (c.month + 2) / 3;
    case SPW_PART_DAY_OF_WEEK: return (weekday(days) + 1) % 7 + 1;
    case SPW_PART_WEEKDAY: return weekday(days);
    case SPW_PART_DAY_OF_YEAR: return (int32_t)(days - spw_days_of(c.year, 1, 1)) + 1;
    case SPW_PART_WEEK_OF_YEAR: {
      const int64_t t = thursday(days);
      return (int32_t)((t - spw_days_of(spw_civil_of(t).year, 1, 1)) / 7) + 1;
    }
    case SPW_PART_YEAR_OF_WEEK: return (int32_t)spw_civil_of(thursday(days)).year;
    case SPW_PART_LAST_DAY: return plus(days, spw_month_days(c.year, c.month) - c.day);
    case SPW_PART_YEAR_START: return plus(days, spw_days_of(c.year, 1, 1) - days);
    case SPW_PART_MONTH_START: return plus(days, 1 - c.day);
    default: return week_start(days);
  }
}

/* Both are the host's where the date leaves 32 bits, which is an error there. */
static int put_date(const spw_step *s, int32_t row, int64_t days, int null) {
  const int fits = days == (int32_t)days;
  ((spw_i32 *)s->values)[row] = (int32_t)days;
  s->nulls[row] = (uint8_t)(null ? 1 : fits ? 0 : SPW_HOST_ROW);
  return null ? SPW_STEP_NULL : fits ? 0 : SPW_STEP_HOST;
}

static int quarter_start(const spw_step *s) {
  const spw_i32 *a = s->a.values;
  int result = 0;
  for (int32_t i = 0; i < s->rows; i++) {
    const int null = spw_null_at(&s->a, i);
    const spw_civil c = spw_civil_of(null ? 0 : a[(size_t)i * spw_stride(&s->a)]);
    result |= put_date(s, i, spw_days_of(c.year, (c.month - 1) / 3 * 3 + 1, 1), null);
  }
  return result;
}

static int add_months(const spw_step *s) {
  const spw_i32 *a = s->a.values, *b = s->b.values;
  int result = 0;
  for (int32_t i = 0; i < s->rows; i++) {
    const int null = spw_null_at(&s->a, i) | spw_null_at(&s->b, i);
    int64_t days = 0;
    if (!null) {
      const spw_civil c = spw_civil_of(a[(size_t)i * spw_stride(&s->a)]);
      const int64_t months = c.year * 12 + c.month - 1 + b[(size_t)i * spw_stride(&s->b)];
      const int64_t year = spw_floor_div(months, 12);
      const int32_t month = (int32_t)(months - year * 12) + 1, last = spw_month_days(year, month);
      days = spw_days_of(year, month, c.day < last ? c.day : last);
    }
    result |= put_date(s, i, days, null);
  }
  return result;
}

SPW_INLINE int64_t local_seconds(int64_t micros, int32_t offset) { return spw_floor_div(micros, 1000000) + offset; }

static int days_to_micros(const spw_step *s) {
  const spw_i32 *a = s->a.values, *b = s->b.values;
  spw_i64 *d = s->values;
  int result = 0;
  for (int32_t i = 0; i < s->rows; i++) {
    const int null = spw_null_at(&s->a, i) | spw_null_at(&s->b, i);
    const int64_t seconds =
        null ? 0 : (int64_t)a[(size_t)i * spw_stride(&s->a)] * 86400 - b[(size_t)i * spw_stride(&s->b)];
    const int fits = seconds > -INT64_C(9223372036854) && seconds < INT64_C(9223372036854);
    d[i] = fits ? seconds * 1000000 : 0;
    s->nulls[i] = (uint8_t)(null ? 1 : fits ? 0 : SPW_HOST_ROW);
    result |= null ? SPW_STEP_NULL : fits ? 0 : SPW_STEP_HOST;
  }
  return result;
}

/* `year-month-day` with four, two and two digits. */
static void write_date(spw_civil c, uint8_t *to) {
  int32_t year = (int32_t)c.year;
  for (int k = 3; k >= 0; k--, year /= 10) to[k] = (uint8_t)('0' + year % 10);
  to[4] = to[7] = '-';
  to[5] = (uint8_t)('0' + c.month / 10);
  to[6] = (uint8_t)('0' + c.month % 10);
  to[8] = (uint8_t)('0' + c.day / 10);
  to[9] = (uint8_t)('0' + c.day % 10);
}

static int to_string(const spw_step *s) {
  const spw_i32 *a = s->a.values;
  spw_string *d = s->values;
  int result = 0;
  for (int32_t i = 0; i < s->rows; i++) {
    uint8_t null = (uint8_t)spw_null_at(&s->a, i);
    spw_string out;
    memset(&out, 0, sizeof out);
    if (!null) {
      const spw_civil c = spw_civil_of(a[(size_t)i * spw_stride(&s->a)]);
      if (c.year >= 1 && c.year <= 9999) {
        uint8_t text[10];
        write_date(c, text);
        spw_make_string(&out, text, sizeof text);
      } else {
        null = SPW_HOST_ROW;
      }
    }
    d[i] = out;
    s->nulls[i] = null;
    result |= null == SPW_HOST_ROW ? SPW_STEP_HOST : null;
  }
  return result;
}

int SPW_FN(spw_step_date)(const spw_step *s) {
  switch (s->op) {
    case SPW_ADD_MONTHS: return add_months(s);
    case SPW_QUARTER_START: return quarter_start(s);
    case SPW_DAYS_TO_MICROS: return days_to_micros(s);
    case SPW_DATE_TO_STR: return to_string(s);
    case SPW_DATE_PART: SPW_UNARY(spw_i32, spw_i32, part_of(x, s->imm)); break;
    case SPW_MICROS_TO_DAYS:
      SPW_UNARY(spw_i32, spw_i64, (spw_i32)spw_floor_div(local_seconds(x, s->imm), 86400));
      break;
    default: {
      const int32_t offset = s->imm;
      SPW_UNARY(spw_i32, spw_i64,
                (spw_i32)(local_seconds(x, offset) - spw_floor_div(local_seconds(x, offset), 86400) * 86400));
      break;
    }
  }
  return spw_nulls_one(s, &s->a);
}
