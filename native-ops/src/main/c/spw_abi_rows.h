/*
 * The binary interface of the row store: rows of any shape in pages. Part of spw_abi.h, whose
 * rules hold here too; io.spillway.kernel.RowsAbi has the same offsets.
 *
 * A row is SPW_ROW_HEADER bytes (u64 hash, u32 null bits of columns 0..31, u32 flags of which bit 0
 * means dead and the others are its owner's), then the null bits of the columns from 32 on, eight a
 * byte, in a multiple of 8 bytes, then the columns' slots as spw_key says. Pages are spw_page's:
 * strings of more than 12 bytes lie in the row's page, and nothing refers outside it.
 */
#ifndef SPW_ABI_ROWS_H
#define SPW_ABI_ROWS_H

#include <stdint.h>

typedef struct spw_rows {
  uint64_t columns;     /* spw_column[ncolumns], VECTOR or CONSTANT */
  uint64_t layout;      /* spw_key[ncolumns]: each column's type and its slot's offset in the row */
  uint64_t partitions;  /* spw_partition[1 << partition_bits]; their indexes are not touched */
  uint64_t selection;   /* int32_t[rows]: numbers of the columns' rows to append; 0: all in turn */
  uint64_t hashes;      /* uint64_t: the hash of each of the columns' rows; 0: all are 0 */
  int32_t ncolumns;     /* at most 4096 */
  int32_t row_width;    /* a multiple of 8 */
  int32_t partition_bits; /* 0..6: the top ones of (hash << hash_shift) choose the partition */
  int32_t hash_shift;   /* bits used by the levels above */
  int32_t rows;         /* rows in the columns, or in the selection if there is one */
  int32_t need_partition; /* out, on SPW_NEEDS_PAGE */
  int64_t rows_done;    /* out: rows before this one are in the store */
  uint64_t need;        /* out, on SPW_NEEDS_PAGE: bytes of page capacity, header included */
} spw_rows; /* 80 bytes */

typedef struct spw_rows_out {
  uint64_t layout;      /* as above */
  uint64_t partitions;  /* spw_partition[npartitions]; not read if `handles` is 0 */
  uint64_t handles;     /* uint64_t[rows]: partition << 48 | page number << 28 | offset / 8; 0: a row
                           of nulls. Address 0: the rows of `page` from `first` on */
  uint64_t page;
  uint64_t picks;       /* int32_t[nout]: which columns; 0: all */
  uint64_t out;         /* spw_column[nout], VECTOR, all with nulls buffers; has_nulls is set. Strings
                           point into the pages; values of null rows are zero */
  int32_t ncolumns;
  int32_t row_width;
  int32_t npartitions;
  int32_t nout;
  int32_t first;
  int32_t rows;
} spw_rows_out; /* 72 bytes */

/*
 * int64_t spw_rows_append(spw_rows *block, int64_t start)
 *   Appends rows [start, block->rows) to the last pages of their partitions. Returns block->rows when
 *   all are in, or NEEDS_PAGE: every row before rows_done is wholly in, none from there on is. Repeat
 *   with start = rows_done. TOO_LONG, with rows_done set likewise, if no page can be large enough for
 *   a row. A partition's `rows` counts them.
 * int64_t spw_rows_gather(spw_rows_out *block)
 *   Rows to columns; returns block->rows. A handle whose partition or page is not there, and rows
 *   behind the page's last, are BAD_ARGUMENT.
 * int64_t spw_rows_check(spw_rows *block, uint64_t page, uint32_t capacity)
 *   Validates a page read back from disk against layout, ncolumns and row_width: header, and offset
 *   and length of every string. Returns 0 or BAD_PAGE.
 * int64_t spw_rows_hash(uint64_t columns, int32_t ncolumns, int32_t rows, uint64_t out,
 *                       uint64_t any_null)
 *   out uint64_t[rows]: the hash of each row of the columns as the aggregation computes it, of a null
 *   too; floats by their bits, so normalise them before. any_null uint8_t[rows]: 1 where a column is
 *   null; 0: not asked. Returns rows.
 */

#endif
