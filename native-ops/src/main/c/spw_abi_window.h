/*
 * The binary interface of window functions. Part of spw_abi.h, whose rules hold here too;
 * io.spillway.kernel.WindowAbi has the same offsets.
 *
 * Rows come sorted by partition and then by order keys, some at a time. Two rows whose partition keys
 * are equal belong to one partition, two of one partition whose order keys are equal too are peers. A
 * function's value for a row covers its partition from the first row on to the end of its scope: the
 * row itself, its last peer, or the partition's last row. The first is written row by row, the other
 * two once for each group of rows, when the group has ended.
 */
#ifndef SPW_ABI_WINDOW_H
#define SPW_ABI_WINDOW_H

#include <stdint.h>

enum spw_window_op {
  SPW_WINDOW_ROW_NUMBER = 1, /* I32 */
  SPW_WINDOW_RANK = 2,       /* I32: the row number of the first peer */
  SPW_WINDOW_DENSE_RANK = 3, /* I32 */
  SPW_WINDOW_COUNT = 4,      /* I64; input -1: of rows, else of non-null values */
  SPW_WINDOW_SUM_I64 = 5,    /* input I8..I64, out I64, wraps; null if nothing seen */
  SPW_WINDOW_SUM_F64 = 6,    /* input F64, out F64; null if nothing seen */
  SPW_WINDOW_SUM_I128 = 7,   /* input I64 or I128, out I64 or I128, wraps; null if nothing seen */
  SPW_WINDOW_MIN = 8,        /* out as the input; floats as Spark orders them; null if nothing seen. */
  SPW_WINDOW_MAX = 9,        /* Input STR: out I64, the number of the first row that has it, or -1 */
  SPW_WINDOW_FIRST = 10,     /* out as the input; null if there is none. */
  SPW_WINDOW_LAST = 11,      /* Input STR: out I64, the number of the row that has it, or -1 */
  SPW_WINDOW_SUM_DEC = 12    /* input I64 or I128, out I128; null if nothing seen or from 10^38 on */
};

enum spw_window_scope { SPW_WINDOW_ROW = 0, SPW_WINDOW_PEERS = 1, SPW_WINDOW_PARTITION = 2 };

typedef struct spw_window_fn {
  uint64_t values;      /* out; scope ROW: one for each of `rows`; else one for each row of the longest
                           run, as each may end a group, and at least one for spw_window_end */
  uint64_t nulls;       /* out, a byte each, as many */
  uint64_t state[2];    /* the function's own; all 0 to begin with. MIN and MAX of STR: the string,
                           whose bytes the caller keeps until the next run, in other memory perhaps */
  int64_t seen;
  int64_t more;         /* of the state: SUM_DEC: the sum's bits above 128; STR: the row's number */
  int32_t op;
  int32_t type;         /* of the input */
  int32_t out_type;
  int32_t input;        /* number of a column, or -1 */
  int32_t scope;
  int32_t ignore_nulls; /* FIRST, LAST: 1 if nulls are passed over */
} spw_window_fn; /* 72 bytes */

typedef struct spw_window {
  uint64_t keys;        /* spw_column[nkeys], VECTOR: partition keys, then order keys */
  uint64_t inputs;      /* spw_column[ninputs], VECTOR */
  uint64_t functions;   /* spw_window_fn[nfunctions] */
  uint64_t last;        /* spw_column[nkeys], VECTORs of one row with null bytes: the row before these */
  uint64_t text;        /* where the long strings of `last` lie */
  uint64_t marks;       /* uint8_t[rows] */
  uint64_t lengths[2];  /* out: int64_t[], as many as the longest run has rows and at least one: rows of
                           the groups that ended; of peers, of partitions */
  int64_t open[2];      /* rows so far of the group that has not ended; 0 to begin with */
  int32_t ended[2];     /* out: groups that ended in the last call */
  uint64_t need;        /* out, on SPW_NEEDS_BYTES */
  int64_t place;        /* number of the next run's first row, as the caller counts them */
  int32_t text_bytes;   /* capacity of `text` */
  int32_t npartition;   /* keys of the partition */
  int32_t nkeys;
  int32_t ninputs;
  int32_t nfunctions;
  int32_t rows;
  int32_t has_last;     /* 0: no row before; set by spw_window_keep */
  int32_t reserved;
} spw_window; /* 136 bytes */

/* Marks. */
#define SPW_WINDOW_NEW_PEERS 1
#define SPW_WINDOW_NEW_PARTITION 3

/* Says which groups are repeated for the next rows. */
typedef struct spw_window_spread {
  uint64_t lengths;     /* int64_t[groups] */
  uint64_t selection;   /* out: int32_t[rows] for the rows that spw_window_spread_over is asked for: the
                           group of each */
  int64_t used;         /* rows of group `group` that have had their turn */
  int32_t groups;
  int32_t group;
} spw_window_spread; /* 32 bytes */

/*
 * int64_t spw_window_mark(spw_window *block)
 *   Marks each row: 0, or the groups that it starts. Returns rows.
 * int64_t spw_window_keep(spw_window *block)
 *   Copies the keys of the last row to `last`; rows is at least 1. Returns 0, or NEEDS_BYTES of text,
 *   or TOO_LONG if text_bytes cannot say as many, before anything was written.
 * int64_t spw_window_run(spw_window *block, int32_t from, int32_t to)
 *   Takes rows [from, to) into the functions; the value of a function of scope ROW for row r is
 *   written at r. A group that a row ends by starting the next is written to the functions of its
 *   scope and to `lengths`, from 0 on. Returns to - from.
 * int64_t spw_window_end(spw_window *block, int32_t partition)
 *   Ends the open peers, and the open partition if `partition` is not 0. Returns how many ended, at
 *   most two.
 * int64_t spw_window_spread_over(spw_window_spread *block, int32_t rows)
 *   Fills `selection` for as many of the next rows as there are groups for. Returns how many; moves
 *   nothing on.
 * int64_t spw_window_spread_skip(spw_window_spread *block, int32_t rows)
 *   Moves on by so many rows, at most those that the groups have left. Returns rows.
 */

#endif
