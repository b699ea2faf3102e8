/* Days since 1970-01-01 in the proleptic Gregorian calendar. */
#ifndef SPW_DATE_H
#define SPW_DATE_H

#include "spw_java.h"

typedef struct spw_civil {
  int64_t year;
  int32_t month; /* 1..12 */
  int32_t day;   /* 1..31 */
} spw_civil;

/* Counted in 400-year cycles from 1 March of year 0, so that the leap day ends a year. */
SPW_INLINE spw_civil spw_civil_of(int64_t days) {
  const int64_t z = days + 719468, cycle = spw_floor_div(z, 146097);
  const uint32_t day = (uint32_t)(z - cycle * 146097);
  const uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  const uint32_t day_of_year = day - (365 * year + year / 4 - year / 100);
  const uint32_t month = (5 * day_of_year + 2) / 153; /* from March */
  spw_civil c;
  c.day = (int32_t)(day_of_year - (153 * month + 2) / 5 + 1);
  c.month = (int32_t)(month < 10 ? month + 3 : month - 9);
  c.year = (int64_t)year + cycle * 400 + (month >= 10);
  return c;
}

SPW_INLINE int64_t spw_days_of(int64_t year, int32_t month, int32_t day) {
  const int64_t y = year - (month <= 2), cycle = spw_floor_div(y, 400);
  const int64_t of_cycle = y - cycle * 400;
  const int32_t from_march = month > 2 ? month - 3 : month + 9;
  const int64_t day_of_year = (153 * from_march + 2) / 5 + day - 1;
  return cycle * 146097 + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + day_of_year - 719468;
}

SPW_INLINE int spw_leap(int64_t year) { return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0); }

SPW_INLINE int32_t spw_month_days(int64_t year, int32_t month) {
  if (month == 2) return 28 + spw_leap(year);
  return 30 + ((month + (month > 7)) & 1);
}

#endif
