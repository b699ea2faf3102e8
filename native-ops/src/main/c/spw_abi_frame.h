/*
 * The binary interface of window frames that move with the row. Part of spw_abi.h, whose rules hold
 * here too; io.spillway.kernel.FrameAbi has the same offsets.
 *
 * Rows are numbered in the order in which they came, over all partitions of a queue. The frame of a
 * row is [from, to) of these numbers: as many rows before and behind it as said, or those whose key
 * lies within bounds, its partition's at the most. A block of output rows is computed at a time: first their frames, then the functions, as
 * the rows that the frames cover come by in chunks, in order. So each row's value takes its frame's
 * rows one after the other from the first on, as Spark does, however wide the frame is.
 */
#ifndef SPW_ABI_FRAME_H
#define SPW_ABI_FRAME_H

#include <stdint.h>

enum spw_frame_op {
  SPW_FRAME_COUNT = 1,    /* out I64; input -1: of rows, else of non-null values */
  SPW_FRAME_SUM_I64 = 2,  /* input I8..I64, out I64, wraps; null if nothing seen */
  SPW_FRAME_SUM_F64 = 3,  /* input F64, out F64; null if nothing seen */
  SPW_FRAME_SUM_I128 = 4, /* input I64 or I128, out I64 or I128, wraps; null if nothing seen */
  SPW_FRAME_MIN = 5,      /* out as the input, not STR; floats as Spark orders them */
  SPW_FRAME_MAX = 6,
  SPW_FRAME_NTH = 7       /* out I64: the number of the frame's nth row, or -1 if it has none */
};

typedef struct spw_frame_fn {
  uint64_t values;      /* out, one a row */
  uint64_t nulls;       /* out, a byte each; not written by NTH */
  uint64_t seen;        /* int64_t[rows]: non-null values so far */
  int64_t nth;          /* NTH: from the first (1, 2, ...) or from the last (-1, -2, ...); 32 bits at the most */
  int32_t op;
  int32_t type;         /* of the input; 0 if there is none */
  int32_t out_type;
  int32_t input;        /* number of a column, or -1 where none is read */
  int32_t ignore_nulls; /* NTH: 1 if only non-null values count; nth is at least -1 then */
  int32_t reserved;
} spw_frame_fn; /* 56 bytes */

typedef struct spw_frame {
  uint64_t spread;      /* spw_window_spread: the partitions, from that of the first output row on */
  uint64_t inputs;      /* spw_column[ninputs], VECTOR: the chunk's */
  uint64_t functions;   /* spw_frame_fn[nfunctions] */
  uint64_t from;        /* out: int64_t[rows] */
  uint64_t to;          /* out: int64_t[rows], not below `from` */
  int64_t place;        /* number of the first output row */
  int64_t chunk;        /* number of the chunk's first row */
  int64_t lower;        /* the frame's first and last row, from the row on; 32 bits at the most */
  int64_t upper;
  int32_t unbounded;    /* 1: from the partition's start; 2: to its end; 3: both */
  int32_t ninputs;
  int32_t nfunctions;
  int32_t rows;         /* output rows */
  int32_t chunk_rows;
  int32_t reserved;
} spw_frame; /* 96 bytes */

/* One side of frames by range. Rows are in the order of the key, ascending or descending; the next
 * row's side is looked for from the last row's on, as Spark does. */
typedef struct spw_frame_side {
  uint64_t keys;        /* spw_column, VECTOR, not STR: the keys of a chunk */
  uint64_t bounds;      /* spw_column of the same type: the bounds of some output rows */
  uint64_t from;        /* in: int64_t[rows]; out for the lower side */
  uint64_t to;          /* in: int64_t[rows]; out for the upper side */
  int64_t chunk;        /* number of the chunk's first row */
  int64_t at;           /* in/out: number of the row that is compared next; 0 to begin with */
  int32_t chunk_rows;
  int32_t first;        /* the output row of the first of the bounds */
  int32_t count;        /* of bounds */
  int32_t rows;         /* output rows */
  int32_t upper;        /* 0: where the keys before the bound end; 1: where those up to it do */
  int32_t descending;
  int32_t nulls_last;
  int32_t reserved;
} spw_frame_side; /* 80 bytes */

/* Finds stored rows by their numbers in a page that holds consecutive ones. */
typedef struct spw_frame_pick {
  uint64_t places;      /* int64_t[rows]: numbers, or -1 */
  uint64_t handles;     /* out: uint64_t[rows], as spw_rows_gather takes them: page 0 of partition 0, or 0 */
  int64_t first;        /* number of the page's first row */
  int32_t page_rows;
  int32_t row_width;
  int32_t rows;
  int32_t reserved;
} spw_frame_pick; /* 40 bytes */

/*
 * int64_t spw_frame_bounds(spw_frame *block)
 *   Writes `from` and `to` of the output rows, whose partitions must be in `spread`. Returns rows.
 * int64_t spw_frame_seek(spw_frame_side *block, int32_t row)
 *   Moves one side of the frames of output rows from `row` on, which were those of their partitions
 *   (the upper side first). Returns the row to go on with, after a million steps or so or where it
 *   needs the key of row `at`, or a bound, that is not there; or rows when it has done all.
 * int64_t spw_frame_start(spw_frame *block)
 *   Begins the functions; COUNT of rows, and NTH with nulls, are done then. Returns rows.
 * int64_t spw_frame_run(spw_frame *block, int32_t function, int32_t row)
 *   Takes the chunk into the function's values from output row `row` on. Returns the row to go on
 *   with, after a million steps or so, or rows when it has done all.
 * int64_t spw_frame_find(spw_frame_pick *block)
 *   Writes handles up to the first row that is not in the page. Returns how many.
 */

#endif
