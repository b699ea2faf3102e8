/*
 * The operations of expression programs beyond those of enum spw_op; part of spw_abi.h, where the
 * rules that hold for all of them stand. Java has the same list (io.spillway.kernel.ExprAbi; a test
 * compares them).
 *
 * Two kinds need more than their registers:
 *   "heap"  makes strings, whose bytes go to the block's heap. Where it has no room for a chunk's
 *           strings spw_eval returns SPW_NEEDS_BYTES with `need`; the caller gives another piece of
 *           memory (what the first holds is in use) and repeats the call, which goes on where it was.
 *   "host"  leaves the rows that it cannot do exactly to the caller: their null byte is SPW_HOST_ROW
 *           when spw_eval returns SPW_NEEDS_HOST. The caller looks at instruction `at_instruction`,
 *           whose imm is his own, and at the rows of the chunk that starts at `at_row`; writes values
 *           and null bytes of 0 or 1; adds 1 to at_instruction and repeats the call. The destination
 *           of such an operation is none of its operands.
 */
#ifndef SPW_ABI_EXPR_H
#define SPW_ABI_EXPR_H

/* The null byte of a row that the caller is to compute. */
#define SPW_HOST_ROW 2

/* Patterns of SPW_LIKE: bytes that no UTF-8 text has stand for % and _. */
#define SPW_LIKE_MANY 0xff
#define SPW_LIKE_ONE 0xfe

/* How SPW_DEC_DOWN rounds. */
enum spw_rounding {
  SPW_ROUND_DOWN = 0, /* towards zero */
  SPW_ROUND_HALF_UP = 1, /* away from zero */
  SPW_ROUND_HALF_EVEN = 2,
  SPW_ROUND_FLOOR = 3,
  SPW_ROUND_CEILING = 4
};

/* imm of SPW_DATE_PART. */
enum spw_date_part {
  SPW_PART_MONTH = 1,
  SPW_PART_DAY = 2,
  SPW_PART_QUARTER = 3,
  SPW_PART_DAY_OF_WEEK = 4,  /* 1: Sunday */
  SPW_PART_WEEKDAY = 5,      /* 0: Monday */
  SPW_PART_DAY_OF_YEAR = 6,
  SPW_PART_WEEK_OF_YEAR = 7, /* ISO */
  SPW_PART_YEAR_OF_WEEK = 8,
  SPW_PART_LAST_DAY = 9,     /* from here on dates */
  SPW_PART_YEAR_START = 10,
  SPW_PART_MONTH_START = 11,
  SPW_PART_WEEK_START = 12   /* Monday */
};

/* Name, number, meaning. */
#define SPW_EXPR_OPS(X)                                                                                      \
  X(SPW_REM, 70, "a % b as Java, null if b is 0; I32 I64 F32 F64")                                           \
  X(SPW_PMOD, 71, "Spark's positive remainder, null if b is 0; I32 I64 F32 F64")                             \
  X(SPW_IDIV, 72, "a / b as Java, null if b is 0; I32 I64")                                                  \
  X(SPW_ABS, 73, "I32 I64 F32 F64 I128; the least integer stays")                                            \
  X(SPW_BIT_AND, 74, "I8 I16 I32 I64")                                                                       \
  X(SPW_BIT_OR, 75, "I8 I16 I32 I64")                                                                        \
  X(SPW_BIT_XOR, 76, "I8 I16 I32 I64")                                                                       \
  X(SPW_BIT_NOT, 77, "I8 I16 I32 I64")                                                                       \
  X(SPW_SHIFT_LEFT, 78, "a I32 I64 by b I32, modulo the width")                                              \
  X(SPW_SHIFT_RIGHT, 79, "likewise, keeping the sign")                                                       \
  X(SPW_SHIFT_RIGHT_UNSIGNED, 80, "likewise, filling with zeros")                                            \
  X(SPW_SQRT, 81, "F64")                                                                                     \
  X(SPW_CEIL, 82, "F64 to I64, as Java casts")                                                               \
  X(SPW_FLOOR, 83, "F64 to I64, as Java casts")                                                              \
  X(SPW_SIGNUM, 84, "F64")                                                                                   \
  X(SPW_FLOOR_DIV, 85, "I64, towards negative infinity; null if b is 0")                                     \
  X(SPW_DEC_DOWN, 90, "decimal a / 10^(imm & 255), rounded as imm >> 8 says; null if dst cannot hold it")    \
  X(SPW_DEC_LOW, 91, "the lower 64 bits of decimal a: I64")                                                  \
  X(SPW_DEC_ADD_WIDE, 92, "imm: precision | up_a << 6 | up_b << 12 | down << 18: a * 10^up_a + b * 10^up_b, " \
                          "/ 10^down half up, null past the precision")                                      \
  X(SPW_DEC_SUB_WIDE, 93, "likewise the difference")                                                         \
  X(SPW_DEC_MUL_WIDE, 94, "imm: precision | scale of a * b << 6 | scale << 13: rounded half up to the scale; " \
                          "null past the precision")                                                         \
  X(SPW_DEC_DIV, 95, "imm: precision | up << 6 | scale << 13: a * 10^up / b has 38 decimals; rounded half up " \
                     "to the scale; null past the precision or if b is 0")                                   \
  X(SPW_DEC_TO_F64, 96, "decimal a over b F64 (a power of ten up to 10^22); host")                           \
  X(SPW_HOST, 97, "every row that is not null is the caller's; any type to any type; host")                  \
  X(SPW_INT_TO_STR, 100, "I32 I64 in decimal digits; heap")                                                  \
  X(SPW_DATE_TO_STR, 101, "I32 date as yyyy-mm-dd; heap, host")                                              \
  X(SPW_DEC_TO_STR, 102, "decimal a with b I32 digits behind the point; heap, host")                         \
  X(SPW_STR_TO_INT, 103, "to I8 I16 I32 I64, null if it does not fit; host")                                 \
  X(SPW_STR_TO_DATE, 104, "yyyy-mm-dd to I32; host")                                                         \
  X(SPW_LENGTH, 110, "characters of a STR: I32")                                                             \
  X(SPW_BYTES, 111, "bytes of a STR: I32")                                                                   \
  X(SPW_SUBSTRING, 112, "STR a, I32 b position as in SQL, I32 c length, in characters")                      \
  X(SPW_TRIM, 114, "STR a without characters of STR b at both ends; imm 1: without spaces, byte by byte")      \
  X(SPW_LTRIM, 115, "at the start")                                                                          \
  X(SPW_RTRIM, 116, "at the end")                                                                            \
  X(SPW_UPPER, 117, "STR; heap, host")                                                                       \
  X(SPW_LOWER, 118, "STR; heap, host")                                                                       \
  X(SPW_LIKE, 119, "STR a, pattern STR b: BOOL; host")                                                       \
  X(SPW_LOCATE, 120, "place of STR b in STR a from character c I32 on, from 1; 0 if c < 1 or not found: I32") \
  X(SPW_REPLACE, 121, "STR a with STR b replaced by STR c; heap")                                            \
  X(SPW_CONCAT, 122, "STR a, then STR b; heap")                                                              \
  X(SPW_JOIN, 123, "STR a, STR c, STR b; of a and b the one that is not null if one is; heap")               \
  X(SPW_REPEAT, 124, "STR a, I32 b times; heap")                                                             \
  X(SPW_LPAD, 125, "STR a to I32 b characters with STR c before it; heap")                                   \
  X(SPW_RPAD, 126, "behind it; heap")                                                                        \
  X(SPW_REVERSE, 127, "STR, by characters; heap")                                                            \
  X(SPW_SUBSTRING_INDEX, 128, "STR a up to the I32 c-th STR b, from the end if negative")                    \
  X(SPW_DATE_PART, 140, "I32 date, imm enum spw_date_part: I32")                                             \
  X(SPW_ADD_MONTHS, 141, "I32 date, I32 months: I32; host")                                                  \
  X(SPW_MICROS_TO_DAYS, 142, "I64 timestamp, imm seconds east of UTC: I32 date")                             \
  X(SPW_SECOND_OF_DAY, 143, "I64 timestamp, imm seconds east of UTC: I32")                                   \
  X(SPW_DAYS_TO_MICROS, 144, "I32 date, I32 b seconds east of UTC: I64; host")                               \
  X(SPW_QUARTER_START, 145, "I32 date: I32 date; host")                                                      \
  X(SPW_MURMUR3, 150, "any type a, I32 seed b (the seed where a is null): I32, as Spark's hash")

enum spw_expr_op {
#define SPW_EXPR_ENUM(name, value, text) name = (value),
  SPW_EXPR_OPS(SPW_EXPR_ENUM)
#undef SPW_EXPR_ENUM
};

#endif
