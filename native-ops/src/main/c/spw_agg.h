/*
 * Hash aggregation: the kernels that fill a table, and what their files share.
 */
#ifndef SPW_AGG_H
#define SPW_AGG_H

#include "spw_column.h"
#include "spw_index.h"

#define SPW_DECLARE_AGG(suffix)                                                           \
  int64_t spw_agg_add##suffix(spw_agg *block, int64_t start);                             \
  int64_t spw_agg_merge_page##suffix(spw_agg *block, uint64_t page, int64_t start);       \
  int64_t spw_agg_init_group##suffix(spw_agg *block);
SPW_LEVELS(SPW_DECLARE_AGG)

#define SPW_CHUNK_ROWS 1024

/* What is known of the rows at hand; lies in the scratch space. */
typedef struct spw_chunk {
  uint64_t hashes[SPW_CHUNK_ROWS];
  uint64_t groups[SPW_CHUNK_ROWS]; /* the address of each row's group */
  uint32_t nulls[SPW_CHUNK_ROWS];  /* null bits of the keys */
} spw_chunk;
_Static_assert(sizeof(spw_chunk) <= SPW_AGG_SCRATCH, "a chunk fits the scratch space");

/* One row on its way into the table: row `at` of the columns, or the row at address `at` of a page. */
typedef struct spw_incoming {
  const spw_agg *block;
  uint64_t page; /* 0: columns */
  uint64_t at;
  uint64_t hash;
  uint32_t nulls;
} spw_incoming;

/* A place in a partition's index, and the group there (0: none yet). */
typedef struct spw_place {
  spw_partition *partition;
  uint64_t slot;
  uint64_t group;
} spw_place;

#define SPW_FLAG_SEEN 1
#define SPW_FLAG_OVERFLOW 2
#define SPW_FLAG_NULL 2 /* of a first or last value */

/* Whether the inputs of a function are buffer columns. */
SPW_INLINE int spw_merges(const spw_agg *block, const spw_agg_fn *f) { return (block->merge | f->merge) != 0; }

SPW_INLINE const spw_column *spw_key_columns(const spw_agg *block) { return spw_at(block->keys); }
SPW_INLINE const spw_column *spw_input_columns(const spw_agg *block) { return spw_at(block->inputs); }
SPW_INLINE const spw_key *spw_key_layout(const spw_agg *block) { return spw_at(block->key_layout); }
SPW_INLINE const spw_agg_fn *spw_functions(const spw_agg *block) { return spw_at(block->functions); }

/* Adds to a decimal sum; past `limit` (10^precision) it has overflowed for good. */
SPW_INLINE void spw_add_decimal(spw_i128 *sum, spw_i64 *flags, spw_wide value, spw_wide limit) {
  spw_wide result;
  if (SPW_UNLIKELY(spw_wide_add(*sum, value, &result) || result >= limit || result <= -limit)) {
    *flags |= SPW_FLAG_OVERFLOW;
  } else {
    *sum = result;
  }
}

/* Whether a decimal sum may pass what a decimal holds and come back, and is looked at when it comes out
 * only. Its upper 32 bits lie above the flags then. */
SPW_INLINE int spw_sums_freely(const spw_agg_fn *f) { return f->out_scale != 0; }
SPW_INLINE spw_i32 *spw_sum_above(spw_i64 *flags) { return (spw_i32 *)(void *)flags + 1; }

/* Adds a value of 160 bits to such a sum. */
SPW_INLINE void spw_add_freely(spw_i128 *sum, spw_i64 *flags, spw_wide value, int32_t above) {
  const spw_uwide before = (spw_uwide)*sum, after = before + (spw_uwide)value;
  *sum = (spw_wide)after;
  *spw_sum_above(flags) += above + (after < before);
}

#ifdef SPW_SUFFIX
/* spw_agg_hash.c: takes rows [base, base + rows) of a column into hashes; spw_hash_finish comes last. */
void SPW_FN(spw_hash_column)(const spw_column *column, int64_t base, int32_t rows, uint64_t *hashes);

/* spw_agg_hash.c: the hashes and null bits of rows [base, base + rows) of the key columns. */
void SPW_FN(spw_hash_chunk)(const spw_agg *block, int64_t base, int32_t rows, spw_chunk *chunk);

/* spw_agg_more.c: the same for FIRST, LAST, BITS and MOMENTS. `in2`, `in3`: the other buffer columns
 * when merging, else NULL. */
typedef struct spw_update {
  const spw_agg_fn *f;
  const spw_column *in, *in2, *in3;
  const uint64_t *groups;
  int64_t base;
  int32_t from, to;
} spw_update;
void SPW_FN(spw_update_more)(const spw_update *u);
void SPW_FN(spw_merge_more)(const spw_agg_fn *f, uint64_t into_row, uint64_t from_row);

/* spw_agg_update.c: applies rows [from, to) of the chunk that starts at row `base` to their groups,
 * for every function but those whose state is a string. */
void SPW_FN(spw_update_groups)(const spw_agg *block, int64_t base, const uint64_t *groups, int32_t from, int32_t to);

/* spw_agg_merge.c: applies the states of one row to another's, again without those of strings. */
void SPW_FN(spw_merge_states)(const spw_agg *block, uint64_t into, uint64_t from);

/* spw_agg_string.c: minima and maxima of strings, whose bytes lie in the page of their row. */
uint64_t SPW_FN(spw_strings_heap)(const spw_incoming *in);
/* What it takes to apply them to a group: 0 nothing, 1 its row must be relocated first (there is
 * room for it), or NEEDS_PAGE with *need set. */
int64_t SPW_FN(spw_strings_prepare)(const spw_incoming *in, const spw_place *place, uint64_t *need);
void SPW_FN(spw_strings_relocate)(const spw_incoming *in, spw_place *place);
void SPW_FN(spw_strings_store)(const spw_incoming *in, uint64_t page, uint64_t group);
#endif

#endif
