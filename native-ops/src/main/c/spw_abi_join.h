/*
 * The binary interface of hash joins: a part of spw_abi.h, whose rules hold here too.
 *
 * A build row is a row of a page (spw_abi.h) whose first nkeys columns are the join keys, as
 * key_layout says, and which has a link of 8 bytes at link_offset: in its low 48 bits the handle of
 * the next row of its partition with the same keys (0: none), in its top bit whether a probe row
 * has matched it. The index of a partition names the first row of each such chain. It and the links
 * hold nothing that the pages do not (the top bit does), so they can be made again at any time.
 * Floating-point keys have one NaN and no -0.0. A row with a null key is in no chain.
 */
#ifndef SPW_ABI_JOIN_H
#define SPW_ABI_JOIN_H

#include <stdint.h>

#define SPW_LINK_MATCHED (UINT64_C(1) << 63)

/* What is wanted of the probe rows' matches. */
enum spw_join_mode {
  SPW_JOIN_ALL = 0,   /* every pair */
  SPW_JOIN_UNTIL = 1, /* pairs of a probe row until its state is no longer 0 */
  SPW_JOIN_FIRST = 2  /* no pairs: the state of a probe row that has a match becomes 1 */
};

/* What is known of a probe row. */
enum spw_join_state {
  SPW_JOIN_UNMATCHED = 0,
  SPW_JOIN_MATCHED = 1,
  SPW_JOIN_DEFERRED = 2 /* its partition is absent: it is joined later */
};

typedef struct spw_join {
  uint64_t keys;        /* spw_column[nkeys] of the probe rows, VECTOR or CONSTANT */
  uint64_t hashes;      /* uint64_t[rows]: the probe rows' hashes */
  uint64_t keyless;     /* uint8_t[rows]: 1 where a key is null */
  uint64_t key_layout;  /* spw_key[nkeys]: where build rows have their keys */
  uint64_t partitions;  /* spw_partition[1 << partition_bits] of build rows */
  uint64_t absent;      /* bit p: partition p is not in memory */
  uint64_t states;      /* uint8_t[rows]: enum spw_join_state, in and out */
  uint64_t deferred;    /* out: int32_t[rows], numbers of the probe rows that were deferred */
  uint64_t pair_rows;   /* out: int32_t[max_pairs], number of the probe row */
  uint64_t pair_builds; /* out: uint64_t[max_pairs], handle of the build row as spw_rows_out has it */
  uint64_t chain;       /* in, out: handle of the row at which `row` goes on; 0: it is not begun */
  uint64_t need;        /* out, on SPW_NEEDS_INDEX: slots */
  int32_t nkeys;        /* 1..32 */
  int32_t row_width;
  int32_t link_offset;
  int32_t partition_bits; /* 0..6 */
  int32_t hash_shift;
  int32_t mode;         /* enum spw_join_mode */
  int32_t rows;         /* probe rows */
  int32_t row;          /* in, out: the next probe row; == rows: all are done */
  int32_t npairs;       /* out */
  int32_t max_pairs;
  int32_t ndeferred;    /* in, out: so many are in `deferred` */
  int32_t need_partition; /* out, on SPW_NEEDS_INDEX */
} spw_join; /* 144 bytes */

/*
 * int64_t spw_join_spread(uint64_t keyless, int32_t rows, uint64_t hashes, uint64_t seed)
 *   A row with a null key matches nothing, so any hash will do: it gets one made of seed and row
 *   number, lest all of them meet in one partition. Returns how many there are.
 * int64_t spw_join_having(uint64_t bytes, int32_t rows, int32_t mask, uint64_t out)
 *   out int32_t[rows]: numbers of the rows whose byte b (below 8) has bit b set in mask, ascending.
 *   Returns their count.
 * int64_t spw_join_index(spw_join *block, int32_t partition, int32_t page)
 *   Enters the rows of one page of a partition into its index, whose slots were zero and its
 *   index_used 0 before the first page, and makes their links. Reads nkeys, key_layout, row_width,
 *   link_offset and partitions. Returns the rows entered, those with a null key not counted; or
 *   NEEDS_INDEX if the index is too small, after which it has to be begun again with a larger one.
 * int64_t spw_join_probe(spw_join *block)
 *   Looks probe rows up from `row` (and `chain`) on. Returns npairs with row == rows when all are
 *   done; or npairs with row < rows when there is no room for the next pair; or NEEDS_INDEX if a
 *   partition with rows has none: npairs (of the rows before) are valid then too. Repeat the call
 *   in the last two cases. A row with a null key is left as it is; a row of an absent partition is
 *   added to `deferred`. While chain is not 0 the partition of `row` must stay as it is.
 * int64_t spw_join_mark(spw_join *block, uint64_t selection, int32_t count, int32_t builds)
 *   Keeps the pairs whose numbers are in selection (int32_t[count], ascending; 0: all npairs) and
 *   drops the others, sets the states of their probe rows to 1 and, if builds is 1, the top bit of
 *   their build rows' links. Returns the pairs kept and sets npairs.
 * int64_t spw_join_unmatched(spw_join *block, int32_t partition, int32_t page, int32_t start)
 *   The rows of a page from `start` on that no probe row has matched, as pair_builds (pair_rows is
 *   not written), and sets the top bits of their links. Returns their count, sets npairs, and sets
 *   `row` to the first row of the page that was not looked at.
 * int64_t spw_join_keep(uint64_t columns, int32_t ncolumns, int32_t rows, uint64_t text,
 *                       uint64_t capacity, uint64_t need)
 *   Copies the long strings of rows [0, n) of the columns to text and makes the values point there,
 *   n being the most rows whose strings fit into capacity. Returns n; uint64_t *need is what the
 *   first row that does not fit would take, or 0 if n == rows.
 */

#endif
