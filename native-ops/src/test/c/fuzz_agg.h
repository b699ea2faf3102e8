/* One aggregation to fuzz, and its oracle. */
#ifndef SPW_FUZZ_AGG_H
#define SPW_FUZZ_AGG_H

#include "fuzz.h"

#define MAX_KEYS 3
#define MAX_FNS 6
#define MAX_GROUPS 1600

typedef struct fold {
  int64_t count; /* of non-null values */
  uint64_t integer;
  double real;
  big decimal;
  int overflow;
  int seen;
  int null_end; /* the first or last value is null */
  double squares;
  uint8_t extreme[16]; /* strings point to the input's bytes */
} fold;

typedef struct group {
  int null[MAX_KEYS];
  uint8_t key[MAX_KEYS][16];
  fold folds[MAX_FNS];
  int found; /* by the verification at hand */
} group;

typedef struct agg_case {
  arena memory;
  int nkeys, nfns;
  spw_key layout[MAX_KEYS];
  spw_agg_fn fns[MAX_FNS];         /* raw values in, results out */
  spw_agg_fn partial_fns[MAX_FNS]; /* buffers out */
  spw_agg_fn merge_fns[MAX_FNS];   /* buffers in, results out */
  int32_t row_width;
  spw_column keys[MAX_KEYS];
  spw_column inputs[MAX_FNS];
  int32_t rows;
  group *groups;
  int ngroups;
  int32_t oracle_rows; /* how many rows are in `groups` */
} agg_case;

int agg_has_pair(int op); /* two buffer columns, or three: moments */
void agg_make(rng *r, agg_case *c);
/* Adds rows up to `rows` to the oracle. */
void oracle_advance(agg_case *c, int32_t rows);
/* Checks one row of results: keys, then one column a function. */
void oracle_check_row(agg_case *c, const spw_column *out, int64_t row);
void oracle_check_complete(agg_case *c);

#endif
