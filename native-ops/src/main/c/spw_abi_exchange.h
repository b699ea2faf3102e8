/*
 * The exchange's part of the binary interface; included from spw_abi.h.
 *
 * Writing: rows of many batches gather in chunks, column by column; then they are sorted by
 * partition and written out as images. Reading: images are columns again.
 *
 * An image holds rows of one partition and refers to nothing outside itself:
 *   u32 bytes of the image, u32 rows, a bit a column (1: it has null bytes), then each column's
 *   values and, if it has them, null bytes, then the bytes of long strings, whose `address` is the
 *   offset from the image's start. Every part starts at a multiple of 8, padded with zeros.
 */
#ifndef SPW_ABI_EXCHANGE_H
#define SPW_ABI_EXCHANGE_H

#include <stdint.h>

typedef struct spw_exchange_column {
  int32_t type;
  int32_t has_nulls; /* set by spw_exchange_append once a null is stored; Java clears it */
  uint32_t values;   /* where the column's values start in a chunk, a multiple of 8 */
  uint32_t nulls;    /* likewise its null bytes */
} spw_exchange_column; /* 16 bytes */

typedef struct spw_exchange {
  uint64_t columns;   /* append: spw_column[ncolumns], VECTOR or CONSTANT */
  uint64_t layout;    /* spw_exchange_column[ncolumns] */
  uint64_t chunks;    /* uint64_t[nchunks]: the chunks' addresses; the last is being filled. A chunk
                         starts with the partition numbers of its rows, int32_t[1 << chunk_bits] */
  uint64_t pids;      /* append: int32_t[rows], the partition of each row */
  uint64_t counts;    /* uint32_t[npartitions]: rows of each; Java clears them, sort turns them into
                         where each partition ends in refs */
  uint64_t refs;      /* sort: uint32_t[stored], numbers of the stored rows by partition, in their
                         order within each */
  uint64_t text;      /* append: free room for the bytes of long strings, moved on by what it takes */
  uint64_t text_end;
  uint64_t image;     /* image: where to write, 8-byte aligned */
  uint64_t image_capacity;
  uint64_t need;      /* out, on SPW_NEEDS_BYTES */
  int32_t ncolumns;   /* at most 4096 */
  int32_t npartitions;
  int32_t chunk_bits; /* 0..16; a chunk holds 1 << chunk_bits rows */
  int32_t nchunks;    /* so many that they hold at most 2147483647 rows */
  int32_t stored;     /* rows in the chunks */
  int32_t rows;       /* append: rows in the columns */
  int32_t image_bytes; /* out, image */
  int32_t reserved;
} spw_exchange; /* 120 bytes */

/* One image to read. */
typedef struct spw_image {
  uint64_t address; /* 8-byte aligned; its strings' offsets are replaced by addresses */
  uint64_t bytes;
} spw_image; /* 16 bytes */

typedef struct spw_exchange_read {
  uint64_t images;   /* spw_image[nimages] */
  uint64_t columns;  /* spw_column[ncolumns]: type, and values and nulls with room for `capacity`
                        rows, which are used if there are several images. Of one image the columns
                        are pointed into it instead. `nulls` is 0 afterwards if there is none. */
  int32_t ncolumns;  /* at most 4096 */
  int32_t nimages;
  int32_t capacity;
  int32_t reserved;
} spw_exchange_read; /* 32 bytes */

/*
 * int64_t spw_exchange_hash(uint64_t columns, int32_t ncolumns, int32_t rows, int32_t partitions,
 *                           uint64_t out)
 *   out int32_t[rows]: pmod(murmur3(columns), partitions), bit for bit as Spark's hash partitioning
 *   computes it with its seed 42. Returns rows.
 * int64_t spw_exchange_append(spw_exchange *block, int32_t start)
 *   Stores rows of the columns from `start` on, as many as the last chunk and the text room take;
 *   0 if the last chunk is full (or there is none). NEEDS_BYTES with `need` if the text room does
 *   not take the first of them. Adds to `stored`, `counts` and `text`.
 * int64_t spw_exchange_sort(spw_exchange *block)
 *   Fills refs. Returns stored.
 * int64_t spw_exchange_image(spw_exchange *block, int32_t start, int32_t end)
 *   Writes an image of the rows refs[start, end), as many as fit, and sets image_bytes. Returns the
 *   rows (>= 1); NEEDS_BYTES with `need` if not even one fits, TOO_LONG if no image can be large
 *   enough for it.
 * int64_t spw_exchange_read_images(spw_exchange_read *block)
 *   Returns the rows of all images together; BAD_IMAGE if one contradicts itself or the types, or
 *   several have more than `capacity` rows.
 */

#endif
