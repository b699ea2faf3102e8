/*
 * The binary interface between Spillway's Java operators and its kernels.
 *
 * Everything here is plain memory that Java owns: a kernel reads and writes what it is given,
 * allocates nothing, keeps nothing between calls and calls nothing back. Java writes these
 * structures field by field (io.spillway.kernel.Abi has the same offsets; a test compares them),
 * so every change of a layout or of a function raises SPW_ABI_VERSION.
 *
 * Result of a kernel: >= 0 is a count of rows (or bytes, where said), < 0 is one of SPW_RESULTS.
 * A "needs" result leaves a state from which the same call can be repeated.
 */
#ifndef SPW_ABI_H
#define SPW_ABI_H

#include <stdint.h>

#define SPW_ABI_VERSION 2

/* The one list of negative results: name, value, meaning. */
#define SPW_RESULTS(X)                                                                   \
  X(SPW_NEEDS_PAGE, -1, "a partition needs a page with at least the said free bytes")    \
  X(SPW_NEEDS_INDEX, -2, "a partition needs a hash index of at least the said slots")    \
  X(SPW_NEEDS_BYTES, -3, "the output buffer needs at least the said bytes for one row")  \
  X(SPW_NEEDS_HOST, -4, "rows of an instruction are left to the caller")                 \
  X(SPW_BAD_ARGUMENT, -10, "an argument is outside its range")                           \
  X(SPW_BAD_PROGRAM, -11, "an instruction or register is not known or out of range")     \
  X(SPW_BAD_TYPE, -12, "a type is not known or does not fit the operation")              \
  X(SPW_BAD_PAGE, -13, "a page's header contradicts itself")                             \
  X(SPW_BAD_ROW, -14, "a row's offsets point outside the row")                           \
  X(SPW_BAD_IMAGE, -15, "an exchanged batch contradicts itself or its schema") \
  X(SPW_TOO_LONG, -16, "a string, or a row with its strings, takes more than 2147483647 bytes")

enum spw_result {
#define X(name, value, text) name = (value),
  SPW_RESULTS(X)
#undef X
};

/* Physical types and their widths in bytes. Dates are I32, timestamps I64; decimals of up to 18
 * digits are I64, longer ones I128 (unscaled, two's complement, little-endian). */
enum spw_type {
  SPW_BOOL = 1, /* 1: 0 or 1 */
  SPW_I8 = 2,   /* 1 */
  SPW_I16 = 3,  /* 2 */
  SPW_I32 = 4,  /* 4 */
  SPW_I64 = 5,  /* 8 */
  SPW_F32 = 6,  /* 4 */
  SPW_F64 = 7,  /* 8 */
  SPW_I128 = 8, /* 16 */
  SPW_STR = 9   /* 16: struct spw_str */
};

/* A string or binary value. Up to 12 bytes lie inside (prefix then rest, zero padded); longer ones
 * keep their first four bytes as prefix and the address of all their bytes. Inside a row page
 * `address` is the offset of the bytes from the page's start instead. */
typedef struct spw_str {
  uint32_t length;
  uint8_t prefix[4];
  union {
    uint64_t address;
    uint8_t rest[8];
  } tail;
} spw_str;

/* A column or register: n values beside n null bytes (1 = null). The value of a null row is
 * undefined and must not be followed (strings). */
enum spw_column_kind {
  SPW_VECTOR = 0,   /* one value a row */
  SPW_CONSTANT = 1, /* one value (and one null byte) for all rows */
  SPW_SCRATCH = 2   /* spw_eval only: holds chunk_rows values, reused for every chunk */
};
typedef struct spw_column {
  uint64_t values;
  uint64_t nulls;     /* 0: no nulls */
  int32_t type;       /* enum spw_type */
  int32_t kind;       /* enum spw_column_kind */
  int32_t has_nulls;  /* out, spw_eval: whether a null was written */
  int32_t reserved;
} spw_column; /* 32 bytes */

/* ---- expressions -------------------------------------------------------------------------- */

/* dst, a, b, c are register numbers. `type` is the physical type of the operands unless said.
 * SQL semantics: a null operand gives null unless said. Integers wrap as Java's do. Floats
 * compare as Spark's: NaN equals NaN and is above all, -0.0 equals 0.0. */
enum spw_op {
  SPW_MOV = 1,        /* dst = a, any type */
  SPW_ADD = 2,        /* I32 I64 F32 F64 */
  SPW_SUB = 3,
  SPW_MUL = 4,
  SPW_DIV = 5,        /* F64; a zero divisor gives null */
  SPW_NEG = 6,        /* I32 I64 F32 F64 I128 */
  SPW_DEC_ADD = 10,   /* unscaled decimals of one scale; each operand I64 or I128 by its register; */
  SPW_DEC_SUB = 11,   /* dst I64 or I128 by its register; null if |result| >= 10^imm (or if it */
  SPW_DEC_MUL = 12,   /* leaves 128 bits on the way). `type` is ignored by the SPW_DEC_ family. */
  SPW_DEC_SCALE_UP = 13, /* dst = a * 10^imm (imm 0 just widens), null beyond 128 bits */
  SPW_DEC_CHECK = 14, /* dst = a, null if |a| >= 10^imm */
  SPW_EQ = 20,        /* dst BOOL; BOOL..STR; decimals of one scale compare as I64 or I128 */
  SPW_NE = 21,
  SPW_LT = 22,        /* strings compare bytewise, unsigned */
  SPW_LE = 23,
  SPW_EQ_NULL_SAFE = 24, /* never null */
  SPW_AND = 30,       /* three-valued */
  SPW_OR = 31,
  SPW_NOT = 32,
  SPW_IS_NULL = 33,   /* dst BOOL, never null; `type` of a */
  SPW_IS_NOT_NULL = 34,
  SPW_SELECT = 35,    /* dst = a is true ? b : c (a BOOL, null counts as false); type of b, c */
  SPW_COALESCE = 36,  /* dst = a is not null ? a : b */
  SPW_CAST = 40,      /* from `type` to type imm; as Java casts: BOOL I8 I16 I32 I64 F32 F64 */
  SPW_NORM_FLOAT = 41,/* F32 F64: one NaN, no -0.0 */
  SPW_STARTS_WITH = 50, /* STR a, STR b, dst BOOL */
  SPW_ENDS_WITH = 51,
  SPW_CONTAINS = 52,
  SPW_YEAR = 60       /* I32 date (days since 1970-01-01, proleptic Gregorian) -> I32 */
};
#include "spw_abi_expr.h"

typedef struct spw_instr {
  uint16_t op;
  uint16_t type;
  uint16_t dst;
  uint16_t a;
  uint16_t b;
  uint16_t c;
  int32_t imm;
} spw_instr; /* 16 bytes */

typedef struct spw_eval {
  uint64_t registers; /* spw_column[nregisters]; VECTORs hold `rows`, SCRATCHes `chunk_rows` */
  uint64_t code;      /* spw_instr[ninstructions]; every register written needs a nulls buffer */
  int32_t nregisters; /* at most 1024 */
  int32_t ninstructions; /* at most 4096 */
  int32_t rows;       /* at most 65536 */
  int32_t chunk_rows; /* 64..4096 */
  uint64_t heap;      /* in/out: where the bytes of the next string that is made go */
  uint64_t heap_end;  /* may be equal to it */
  uint64_t need;      /* out, on SPW_NEEDS_BYTES: bytes of heap */
  int32_t at_row;     /* in/out: where to go on; both 0 to begin, and again when all is done */
  int32_t at_instruction;
} spw_eval; /* 64 bytes; spw_eval(block) returns rows, or NEEDS_BYTES or NEEDS_HOST: spw_abi_expr.h */

/* ---- rows in pages ------------------------------------------------------------------------- */

/* A page: this header, rows of row_width bytes growing up, string bytes growing down from the
 * end. It refers to nothing outside itself, so its image is its spill frame: bytes [0, front)
 * and [back, capacity) are all there is, front = 16 + rows * row_width.
 * A row: u64 hash, u32 null bits of the keys, u32 flags (bit 0: dead, superseded by a copy), keys,
 * states. Keys of up to 8 bytes take 8 (sign- or zero-extended; floats their bits), I128 and STR
 * 16. Offsets are multiples of 8; so is row_width. */
typedef struct spw_page {
  uint32_t capacity;
  uint32_t rows;
  uint32_t back;
  uint32_t reserved;
} spw_page; /* 16 bytes */
#define SPW_ROW_HEADER 16

typedef struct spw_key {
  int32_t type;
  int32_t offset; /* in the row */
} spw_key; /* 8 bytes */

/* A radix partition: the top `partition_bits` of (hash << hash_shift). Slots are 8 bytes: 0 is
 * empty, else 16 bits of salt above 48 bits of handle: page number << 28 | offset / 8 (never 0,
 * as a row starts behind the page header). */
typedef struct spw_partition {
  uint64_t pages;       /* address of uint64_t[npages]: the pages' addresses; the last is filled */
  uint64_t index;       /* address of uint64_t[index_slots]; 0: none yet */
  uint64_t index_slots; /* a power of two, or 0 */
  uint64_t index_used;
  uint64_t rows;        /* live rows */
  uint32_t npages;
  uint32_t reserved;
} spw_partition; /* 48 bytes */

/* ---- aggregation --------------------------------------------------------------------------- */

/* State, in the row at state_offset (8-byte units), and the buffer columns of Spark's own
 * partial aggregate (so that either side may run on the JVM). P = partial, F = final. */
enum spw_agg_op {
  SPW_COUNT = 1,    /* i64. input -1: count(*), else of non-null. P,F: I64 */
  SPW_SUM_I64 = 2,  /* i64 sum, u64 seen. inputs I8..I64. P,F: I64 or null if nothing seen */
  SPW_SUM_F64 = 3,  /* f64 sum, u64 seen. inputs F32, F64. P,F: F64 or null */
  SPW_SUM_DEC = 4,  /* i128 sum, u64 flags (1 seen, 2 overflow). input I64 or I128.
                       P: sum (null if overflow; 0 if nothing seen), BOOL isEmpty;
                       F: sum, null if nothing seen or overflow. Overflow: |sum| >= 10^precision,
                       at any time; if out_scale is 1, when the sum comes out (its upper 32 bits
                       lie above the flags) */
  SPW_AVG_F64 = 5,  /* f64 sum, i64 count. inputs I8..I64, F32, F64 (as double).
                       P: F64 sum, I64 count; F: F64 sum/count, null if count is 0 */
  SPW_AVG_DEC = 6,  /* i128 sum, i64 count, u64 flags (2 overflow). input I64 or I128.
                       P: sum (null if overflow), I64 count; F: sum * 10^scale_up / count rounded
                       half up (away from zero), null if count 0, overflow or >= 10^out_precision */
  SPW_MIN = 7,      /* value (8, or 16 for I128 and STR), u64 seen. P,F: value or null */
  SPW_MAX = 8,      /* floats as Spark orders them; strings bytewise */
  SPW_FIRST = 9,    /* value (8, or 16 for I128 and STR), u64 flags (1 set, 2 null). Any input;
                       precision 1: nulls do not count. P: value, BOOL set; F: value */
  SPW_LAST = 10,
  SPW_BITS_AND = 11, /* i64, u64 seen. inputs I8..I64. P,F: value or null */
  SPW_BITS_OR = 12,
  SPW_BITS_XOR = 13,
  SPW_MOMENTS = 14  /* f64 count, mean, sum of squared distances. input F64. P: the three; F: F64 by
                       precision: 0 variance of a population, 1 of a sample, 2 and 3 their roots;
                       null if the count is 0; a sample of one: null if out_scale is 1, else NaN */
};
/* State sizes in bytes: COUNT 8, SUM_I64 16, SUM_F64 16, SUM_DEC 24, AVG_F64 16, AVG_DEC 32,
 * MIN/MAX/FIRST/LAST 16, or 24 for I128 and STR, BITS 16, MOMENTS 24. */
typedef struct spw_agg_fn {
  int32_t op;
  int32_t type;          /* physical type of the (first) input, and of a min/max value */
  int32_t state_offset;
  int32_t input;         /* column number in `inputs`; -1: none (count(*)) */
  int32_t input2;        /* merging: the second buffer column (isEmpty, count, set, mean); else -1 */
  int32_t precision;     /* SUM_DEC, AVG_DEC: digits of the sum */
  int32_t out_precision; /* AVG_DEC, final: digits of the result */
  int32_t scale_up;      /* AVG_DEC, final: result scale - sum scale */
  int32_t out_type;      /* type of the (first) output column: I64 or I128 for decimals */
  int32_t out_scale;     /* SUM_DEC, MOMENTS: 1 as said of them; else 0 */
  int32_t input3;        /* merging: the third buffer column (squared distances); else -1 */
  int32_t merge;         /* 1: the inputs of this function are buffer columns, whatever the block says */
} spw_agg_fn; /* 48 bytes */

typedef struct spw_agg {
  uint64_t keys;        /* spw_column[nkeys], VECTOR or CONSTANT */
  uint64_t inputs;      /* spw_column[ninputs] */
  uint64_t key_layout;  /* spw_key[nkeys] */
  uint64_t functions;   /* spw_agg_fn[nfunctions] */
  uint64_t partitions;  /* spw_partition[1 << partition_bits] */
  uint64_t scratch;     /* SPW_AGG_SCRATCH bytes, contents need not be kept between calls */
  int32_t nkeys;        /* at most 32 */
  int32_t ninputs;
  int32_t nfunctions;   /* at most 256 */
  int32_t row_width;
  int32_t partition_bits; /* 0..6 */
  int32_t hash_shift;   /* bits used by the levels above */
  int32_t merge;        /* 0: inputs are raw values; 1: inputs are buffer columns */
  int32_t rows;         /* rows in the columns */
  /* out, on SPW_NEEDS_PAGE and SPW_NEEDS_INDEX: */
  int64_t rows_done;    /* rows before this one are in the table */
  int32_t need_partition;
  int32_t reserved;
  uint64_t need;        /* bytes of page capacity (header included), or slots of index */
} spw_agg; /* 104 bytes */
#define SPW_AGG_SCRATCH 32768

/*
 * int64_t spw_agg_add(spw_agg *block, int64_t start)
 *   Adds rows [start, block->rows) of the columns. nkeys 0: all rows are one group (hash 0).
 *   Returns block->rows when all are in; or NEEDS_PAGE / NEEDS_INDEX with rows_done set: every row
 *   before rows_done is wholly in, none from there on is. Repeat with start = rows_done. TOO_LONG,
 *   with rows_done set likewise, if no page can be large enough for a group and its strings.
 *   A partition with no index asks for one (64 slots at the least); one past 2/3 asks for twice.
 * int64_t spw_agg_merge_page(spw_agg *block, uint64_t page, int64_t start)
 *   The same for the live rows of a page that lies outside the partitions (keys, states and
 *   hashes are taken from the rows; `keys`, `inputs`, `merge`, `rows` are not read).
 *   Returns the page's row count when all are in, else as above (rows_done counts dead rows too).
 * int64_t spw_agg_init_group(spw_agg *block)
 *   nkeys 0 only: makes the one group exist with untouched states. Returns 1, or NEEDS_x.
 * int64_t spw_index_build(spw_partition *partition, int32_t row_width)
 *   Fills partition->index (index_slots slots, need not be zeroed before) from its pages and sets
 *   index_used. Returns the live rows; NEEDS_INDEX if they pass 2/3 of the slots.
 * int64_t spw_page_init(uint64_t page, uint32_t capacity)
 *   Writes an empty page's header. capacity 256..2^31-8, a multiple of 8. Returns 0.
 * int64_t spw_page_check(spw_agg *block, uint64_t page, uint32_t capacity)
 *   Validates a page read back from disk against row_width, key_layout and functions: header,
 *   and offset and length of every string. Returns 0 or BAD_PAGE.
 */

typedef struct spw_emit {
  uint64_t page;
  uint64_t key_layout;  /* spw_key[nkeys] */
  uint64_t functions;   /* spw_agg_fn[nfunctions] */
  uint64_t out;         /* spw_column[...]: keys, then each function's one or two columns; all with
                           nulls buffers; has_nulls is set. Strings point into the page. */
  int32_t nkeys;
  int32_t nfunctions;
  int32_t row_width;
  int32_t final;        /* 0: buffer columns (P), 1: results (F) */
  int32_t start_row;    /* in: first row of the page to look at; out: where to go on */
  int32_t max_rows;     /* capacity of the out columns */
} spw_emit; /* 56 bytes; spw_agg_emit(block) returns rows written, dead rows skipped */

/* ---- rows of Spark (UnsafeRow) -------------------------------------------------------------- */

typedef struct spw_row_batch {
  uint64_t columns;     /* spw_column[ncolumns] */
  uint64_t data;        /* the rows' bytes, each row 8-byte aligned */
  uint64_t offsets;     /* int32_t[rows + 1]: where each row starts in data; the last is the end */
  uint64_t capacity;    /* bytes of data (writing) */
  int32_t ncolumns;     /* at most 4096 */
  int32_t rows;
  int64_t need;         /* out, on SPW_NEEDS_BYTES */
} spw_row_batch; /* 48 bytes */
/*
 * int64_t spw_rows_to_columns(spw_row_batch *block)
 *   Reads `rows` UnsafeRows into the columns (each with a nulls buffer; has_nulls is set). Strings
 *   point into data; decimals of more than 18 digits are read from their big-endian bytes.
 *   Returns rows, or BAD_ROW.
 * int64_t spw_columns_to_rows(spw_row_batch *block, int32_t start)
 *   Writes rows [start, rows) as UnsafeRows, byte for byte as Spark's UnsafeRowWriter writes them,
 *   as many as fit; offsets[0..written]. Returns rows written (>= 1, or 0 if start == rows), or
 *   NEEDS_BYTES with `need` if not even one fits, TOO_LONG if no buffer can be large enough for it.
 */

/* ---- columns -------------------------------------------------------------------------------- */
/*
 * int64_t spw_select(uint64_t values, uint64_t nulls, int32_t rows, uint64_t out)
 *   out int32_t[rows]: numbers of the rows that are true and not null, ascending. Returns count.
 * int64_t spw_take(uint64_t in, uint64_t out, int32_t ncolumns, uint64_t selection, int32_t count)
 *   in, out: spw_column[ncolumns]; copies the selected rows of every column (strings: the 16-byte
 *   values). Out columns need a nulls buffer where in has one; has_nulls is set. Returns count.
 * int64_t spw_dictionary(int32_t type, uint64_t dictionary, int32_t entries, uint64_t ids,
 *                        uint64_t nulls, int32_t rows, uint64_t out)
 *   out[i] = dictionary[ids[i]] for int32_t ids; null rows get zero. BAD_ARGUMENT if an id of a
 *   non-null row is outside the dictionary.
 * int64_t spw_strings(uint64_t offsets, uint64_t lengths, uint64_t data, uint64_t data_bytes,
 *                     uint64_t nulls, int32_t rows, uint64_t out)
 *   Makes string values from int32_t offsets and lengths into data; null rows get the empty string.
 * int64_t spw_decimals(uint64_t offsets, uint64_t lengths, uint64_t data, uint64_t data_bytes,
 *                      uint64_t nulls, int32_t rows, uint64_t out)
 *   Likewise I128 from big-endian two's complement bytes (1..16 long).
 * int64_t spw_widen(int32_t from, uint64_t in, int32_t rows, uint64_t out)
 *   I8, I16 or I32 to I64.
 */

#include "spw_abi_rows.h"
#include "spw_abi_join.h"
#include "spw_abi_sort.h"
#include "spw_abi_window.h"
#include "spw_abi_frame.h"
#include "spw_abi_exchange.h"

#endif
