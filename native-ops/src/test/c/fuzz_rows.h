/* What the fuzzers of the row store and of what stands on it share. */
#ifndef SPW_FUZZ_ROWS_H
#define SPW_FUZZ_ROWS_H

#include "fuzz.h"
#include "spw_rows.h"

typedef struct rows_kernels {
  int64_t (*append)(spw_rows *, int64_t);
  int64_t (*gather)(spw_rows_out *);
  int64_t (*check)(spw_rows *, uint64_t, uint32_t);
  int64_t (*hash)(uint64_t, int32_t, int32_t, uint64_t, uint64_t);
} rows_kernels;
const rows_kernels *fuzz_rows_level(int level);

/* A random layout, and random columns of its types. */
typedef struct row_table {
  spw_key *layout;
  spw_column *columns;
  int32_t ncolumns;
  int32_t row_width;
  int32_t rows;
} row_table;
void fuzz_rows_layout(rng *r, arena *a, row_table *t, int32_t ncolumns);
void fuzz_rows_columns(rng *r, arena *a, row_table *t, int32_t rows);

/* Adds an empty page to a partition. */
void fuzz_rows_give_page(arena *a, spw_partition *partition, uint32_t capacity);

/* Whether two columns have the same in these rows: both null, or the same value. */
int fuzz_rows_same(const spw_column *expected, int64_t row, const spw_column *actual, int64_t at);

void fuzz_rows(rng *r, const kernels *levels, int nlevels);

#endif
