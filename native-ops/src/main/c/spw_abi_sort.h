/*
 * The binary interface of the sort: an index of normalised key prefixes over rows in pages, sorted
 * runs in memory and on disk, and their merge. Part of spw_abi.h, whose rules hold here too;
 * io.spillway.kernel.SortAbi has the same offsets.
 *
 * The prefix of a row stands in its header in place of the hash, so that rows in pages need no other
 * index. It orders as memcmp orders its big-endian bytes, nulls and direction folded in; rows of equal
 * prefixes are compared key by key where the prefix does not say it all.
 */
#ifndef SPW_ABI_SORT_H
#define SPW_ABI_SORT_H

#include <stdint.h>

typedef struct spw_sort_key {
  int32_t column;      /* number in the layout */
  int32_t descending;  /* 0 or 1; floats as Spark orders them: -0.0 equals 0.0, NaN is above all */
  int32_t nulls_last;  /* 0 or 1, whatever the direction */
  int32_t nullable;    /* 0: the column has no nulls */
} spw_sort_key; /* 16 bytes */

typedef struct spw_sort_entry {
  uint64_t prefix;
  uint64_t handle;     /* page number << 28 | offset / 8 */
} spw_sort_entry; /* 16 bytes */

/* A sorted run: entries over the rows in memory, or rows that lie sorted in pages which are given
 * one at a time. */
typedef struct spw_sort_run {
  uint64_t entries;    /* spw_sort_entry[count]; 0: a run in pages */
  uint64_t page;       /* a run in pages: the one at hand */
  uint32_t next;       /* the entry, or the row of the page, that follows the head */
  uint32_t count;      /* entries, or rows of the page at hand */
  uint64_t prefix;     /* the head's */
  uint64_t row;        /* the head's address; 0: there is none */
  uint64_t row_page;   /* the address of its page */
  uint32_t ended;      /* a run in pages: 1 when there is no page behind the one at hand */
  uint32_t reserved;
} spw_sort_run; /* 56 bytes */

typedef struct spw_sort {
  uint64_t layout;     /* spw_key[ncolumns], as in spw_rows */
  uint64_t keys;       /* spw_sort_key[nkeys], the first is compared first */
  uint64_t strings;    /* int32_t[nstrings]: numbers of the layout's columns of strings */
  uint64_t partition;  /* spw_partition: the pages that handles name; its index is not used */
  uint64_t runs;       /* spw_sort_run[nruns] */
  uint64_t tree;       /* int32_t[nruns]: the merge's own */
  int32_t ncolumns;
  int32_t row_width;
  int32_t nkeys;       /* 1..4096 */
  int32_t nstrings;
  int32_t nruns;
  int32_t need_run;    /* out, on SPW_NEEDS_PAGE and SPW_NEEDS_BYTES: whose head it is about */
  uint64_t need;       /* out, on SPW_NEEDS_BYTES: bytes of page capacity for the row at the head */
} spw_sort; /* 80 bytes */

/* What is known of the first `limit` rows while rows come: codes of their first key, which ascend as
 * the key does but may be equal where keys are not. */
typedef struct spw_sort_first {
  uint64_t column;     /* spw_column, VECTOR or CONSTANT: the first key of the rows at hand */
  uint64_t heap;       /* uint64_t[limit]: the kernel's own, kept from call to call */
  uint64_t selection;  /* out: int32_t[rows] */
  int32_t descending;
  int32_t nulls_last;  /* 0 or 1, whatever the direction */
  int32_t exact;       /* 1: rows whose codes are equal may stand in either order, so only as many
                          of them stay as are needed */
  int32_t limit;       /* at least 1 */
  int32_t count;       /* codes in the heap; 0 at the start */
  int32_t rows;
} spw_sort_first; /* 48 bytes */

/*
 * int64_t spw_sort_first_select(spw_sort_first *block)
 *   Selects the rows that may be among the first `limit` of all that were given so far; the others
 *   are behind `limit` of these. Returns how many.
 * int64_t spw_sort_index(spw_sort *block, uint32_t page, uint32_t first, uint64_t entries, uint32_t room)
 *   Makes entries for the rows from `first` on of page number `page`, at most `room`, and writes their
 *   prefixes into the rows. Returns how many.
 * int64_t spw_sort_entries(spw_sort *block, uint64_t entries, uint64_t scratch, uint32_t count)
 *   Sorts entries; scratch holds as many. At most 65536. Returns count.
 * int64_t spw_sort_start(spw_sort *block)
 *   Starts a merge: the head of each run that has none becomes its entry, or the row of its page,
 *   number `next`, if there is one. Returns 0, or NEEDS_PAGE as spw_sort_merge does.
 * int64_t spw_sort_merge(spw_sort *block, uint64_t page, uint32_t max_rows)
 *   Appends copies of the smallest rows in order to a page (spw_page_init), until it holds max_rows or
 *   the next does not fit. Returns the rows appended by this call; 0 at the end of all runs, or if the
 *   page holds max_rows before. NEEDS_PAGE: run need_run is at the end of its page; set its page,
 *   next and count, or `ended`, and repeat; rows may have been appended. NEEDS_BYTES: the page is empty
 *   and too small for the next row, the head of run need_run; give a larger one, or read the row where
 *   it lies and spw_sort_skip it.
 * int64_t spw_sort_skip(spw_sort *block)
 *   Drops the smallest row. Returns 0; NEEDS_PAGE if there is none because a run needs its next page.
 */

#endif
