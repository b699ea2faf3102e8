/* What each operation takes and gives: the table that programs are checked against. */
#ifndef SPW_EXPR_SHAPE_H
#define SPW_EXPR_SHAPE_H

#include "spw_base.h"

enum family {
  NONE,
  ARITH,
  DECIMAL,
  COMPARE,
  LOGIC,
  CHOOSE,
  CONVERT,
  STRING,
  MATH,
  DECIMAL_WIDE,
  TEXT,
  MAKE,
  PARSE,
  DATE,
  HASH
};

#define BIT(t) (1u << (t))
#define NUMBERS (BIT(SPW_I32) | BIT(SPW_I64) | BIT(SPW_F32) | BIT(SPW_F64))
#define CASTABLE (NUMBERS | BIT(SPW_BOOL) | BIT(SPW_I8) | BIT(SPW_I16))
#define ANY (CASTABLE | BIT(SPW_I128) | BIT(SPW_STR))
#define DECIMALS (BIT(SPW_I64) | BIT(SPW_I128))
#define WHOLE (BIT(SPW_I8) | BIT(SPW_I16) | BIT(SPW_I32) | BIT(SPW_I64))
#define BOOLS BIT(SPW_BOOL)
#define INTS BIT(SPW_I32)
#define LONGS BIT(SPW_I64)
#define DOUBLES BIT(SPW_F64)
#define STRINGS BIT(SPW_STR)

enum rule {
  SAME,     /* operands and destination are of `type` */
  TO_BOOL,  /* operands of `type`, destination BOOL */
  CHOICE,   /* a BOOL; b, c and destination of `type` */
  BY_IMM,   /* a of `type`, destination of type imm */
  FREE,     /* each I64 or I128, `type` is ignored */
  TYPED     /* a of `type`; b, c and destination of one of their own types */
};

typedef struct shape {
  uint8_t family;
  uint8_t operands;
  uint8_t rule;
  uint16_t types;
  /* TYPED only; 0: of `type` */
  uint16_t b, c, dst;
} shape;

static shape shape_of(uint16_t op) {
  switch (op) {
    case SPW_MOV: return (shape){CHOOSE, 1, SAME, ANY, 0, 0, 0};
    case SPW_ADD:
    case SPW_SUB:
    case SPW_MUL: return (shape){ARITH, 2, SAME, NUMBERS, 0, 0, 0};
    case SPW_DIV: return (shape){ARITH, 2, SAME, DOUBLES, 0, 0, 0};
    case SPW_NEG: return (shape){ARITH, 1, SAME, NUMBERS | BIT(SPW_I128), 0, 0, 0};
    case SPW_DEC_ADD:
    case SPW_DEC_SUB:
    case SPW_DEC_MUL: return (shape){DECIMAL, 2, FREE, DECIMALS, 0, 0, 0};
    case SPW_DEC_SCALE_UP:
    case SPW_DEC_CHECK: return (shape){DECIMAL, 1, FREE, DECIMALS, 0, 0, 0};
    case SPW_EQ:
    case SPW_NE:
    case SPW_LT:
    case SPW_LE:
    case SPW_EQ_NULL_SAFE: return (shape){COMPARE, 2, TO_BOOL, ANY, 0, 0, 0};
    case SPW_AND:
    case SPW_OR: return (shape){LOGIC, 2, SAME, BOOLS, 0, 0, 0};
    case SPW_NOT: return (shape){LOGIC, 1, SAME, BOOLS, 0, 0, 0};
    case SPW_IS_NULL:
    case SPW_IS_NOT_NULL: return (shape){LOGIC, 1, TO_BOOL, ANY, 0, 0, 0};
    case SPW_SELECT: return (shape){CHOOSE, 3, CHOICE, ANY, 0, 0, 0};
    case SPW_COALESCE: return (shape){CHOOSE, 2, SAME, ANY, 0, 0, 0};
    case SPW_CAST: return (shape){CONVERT, 1, BY_IMM, CASTABLE, 0, 0, 0};
    case SPW_NORM_FLOAT: return (shape){CONVERT, 1, SAME, BIT(SPW_F32) | DOUBLES, 0, 0, 0};
    case SPW_STARTS_WITH:
    case SPW_ENDS_WITH:
    case SPW_CONTAINS: return (shape){STRING, 2, TO_BOOL, STRINGS, 0, 0, 0};
    case SPW_YEAR: return (shape){CONVERT, 1, SAME, INTS, 0, 0, 0};

    case SPW_REM:
    case SPW_PMOD: return (shape){MATH, 2, SAME, NUMBERS, 0, 0, 0};
    case SPW_IDIV: return (shape){MATH, 2, SAME, INTS | LONGS, 0, 0, 0};
    case SPW_FLOOR_DIV: return (shape){MATH, 2, SAME, LONGS, 0, 0, 0};
    case SPW_ABS: return (shape){MATH, 1, SAME, NUMBERS | BIT(SPW_I128), 0, 0, 0};
    case SPW_BIT_AND:
    case SPW_BIT_OR:
    case SPW_BIT_XOR: return (shape){MATH, 2, SAME, WHOLE, 0, 0, 0};
    case SPW_BIT_NOT: return (shape){MATH, 1, SAME, WHOLE, 0, 0, 0};
    case SPW_SHIFT_LEFT:
    case SPW_SHIFT_RIGHT:
    case SPW_SHIFT_RIGHT_UNSIGNED: return (shape){MATH, 2, TYPED, INTS | LONGS, INTS, 0, 0};
    case SPW_SQRT:
    case SPW_SIGNUM: return (shape){MATH, 1, SAME, DOUBLES, 0, 0, 0};
    case SPW_CEIL:
    case SPW_FLOOR: return (shape){MATH, 1, TYPED, DOUBLES, 0, 0, LONGS};

    case SPW_DEC_DOWN: return (shape){DECIMAL_WIDE, 1, TYPED, DECIMALS, 0, 0, DECIMALS};
    case SPW_DEC_LOW: return (shape){DECIMAL_WIDE, 1, TYPED, DECIMALS, 0, 0, LONGS};
    case SPW_DEC_ADD_WIDE:
    case SPW_DEC_SUB_WIDE:
    case SPW_DEC_MUL_WIDE:
    case SPW_DEC_DIV: return (shape){DECIMAL_WIDE, 2, TYPED, DECIMALS, DECIMALS, 0, DECIMALS};
    case SPW_DEC_TO_F64: return (shape){DECIMAL_WIDE, 2, TYPED, DECIMALS, DOUBLES, 0, DOUBLES};

    case SPW_HOST: return (shape){PARSE, 1, TYPED, ANY, 0, 0, ANY};
    case SPW_STR_TO_INT: return (shape){PARSE, 1, TYPED, STRINGS, 0, 0, WHOLE};
    case SPW_STR_TO_DATE: return (shape){PARSE, 1, TYPED, STRINGS, 0, 0, INTS};

    case SPW_INT_TO_STR: return (shape){MAKE, 1, TYPED, INTS | LONGS, 0, 0, STRINGS};
    case SPW_DEC_TO_STR: return (shape){MAKE, 2, TYPED, DECIMALS, INTS, 0, STRINGS};
    case SPW_UPPER:
    case SPW_LOWER:
    case SPW_REVERSE: return (shape){MAKE, 1, SAME, STRINGS, 0, 0, 0};
    case SPW_CONCAT: return (shape){MAKE, 2, SAME, STRINGS, 0, 0, 0};
    case SPW_REPLACE:
    case SPW_JOIN: return (shape){MAKE, 3, TYPED, STRINGS, STRINGS, STRINGS, STRINGS};
    case SPW_REPEAT: return (shape){MAKE, 2, TYPED, STRINGS, INTS, 0, STRINGS};
    case SPW_LPAD:
    case SPW_RPAD: return (shape){MAKE, 3, TYPED, STRINGS, INTS, STRINGS, STRINGS};

    case SPW_LENGTH:
    case SPW_BYTES: return (shape){TEXT, 1, TYPED, STRINGS, 0, 0, INTS};
    case SPW_SUBSTRING: return (shape){TEXT, 3, TYPED, STRINGS, INTS, INTS, STRINGS};
    case SPW_TRIM:
    case SPW_LTRIM:
    case SPW_RTRIM: return (shape){TEXT, 2, SAME, STRINGS, 0, 0, 0};
    case SPW_LIKE: return (shape){TEXT, 2, TO_BOOL, STRINGS, 0, 0, 0};
    case SPW_LOCATE: return (shape){TEXT, 3, TYPED, STRINGS, STRINGS, INTS, INTS};
    case SPW_SUBSTRING_INDEX: return (shape){TEXT, 3, TYPED, STRINGS, STRINGS, INTS, STRINGS};

    case SPW_QUARTER_START:
    case SPW_DATE_PART: return (shape){DATE, 1, SAME, INTS, 0, 0, 0};
    case SPW_ADD_MONTHS: return (shape){DATE, 2, SAME, INTS, 0, 0, 0};
    case SPW_MICROS_TO_DAYS:
    case SPW_SECOND_OF_DAY: return (shape){DATE, 1, TYPED, LONGS, 0, 0, INTS};
    case SPW_DAYS_TO_MICROS: return (shape){DATE, 2, TYPED, INTS, INTS, 0, LONGS};
    case SPW_DATE_TO_STR: return (shape){DATE, 1, TYPED, INTS, 0, 0, STRINGS};

    case SPW_MURMUR3: return (shape){HASH, 2, TYPED, ANY, INTS, 0, INTS};
    default: return (shape){NONE, 0, SAME, 0, 0, 0, 0};
  }
}

static int in(int32_t type, uint32_t types) { return type > 0 && type < 16 && (types & BIT(type)) != 0; }

/* The operations whose imm is a parameter with a range. */
static int imm_ok(const spw_instr *code) {
  const int32_t imm = code->imm;
  switch (code->op) {
    case SPW_DEC_DOWN: return imm >= 0 && imm >> 8 <= SPW_ROUND_CEILING;
    case SPW_DEC_ADD_WIDE:
    case SPW_DEC_SUB_WIDE:
      return imm >= 0 && (imm & 63) <= 38 && (imm >> 6 & 63) <= 38 && (imm >> 12 & 63) <= 38 && imm >> 18 <= 77;
    case SPW_DEC_MUL_WIDE:
      return imm >= 0 && (imm & 63) <= 38 && (imm >> 6 & 127) <= 76 && imm >> 13 <= (imm >> 6 & 127);
    case SPW_DEC_DIV: return imm >= 0 && (imm & 63) <= 38 && (imm >> 6 & 127) <= 76 && imm >> 13 <= 38;
    case SPW_DATE_PART: return imm >= SPW_PART_MONTH && imm <= SPW_PART_WEEK_START;
    case SPW_MICROS_TO_DAYS:
    case SPW_SECOND_OF_DAY: return imm > -86400 && imm < 86400;
    default: return 1;
  }
}

/* Whether rows may be left to the caller, who reads the operands after the destination was written. */
static int may_need_host(uint16_t op) {
  switch (op) {
    case SPW_HOST:
    case SPW_DEC_TO_F64:
    case SPW_DATE_TO_STR:
    case SPW_DEC_TO_STR:
    case SPW_STR_TO_INT:
    case SPW_STR_TO_DATE:
    case SPW_UPPER:
    case SPW_LOWER:
    case SPW_LIKE:
    case SPW_ADD_MONTHS:
    case SPW_QUARTER_START:
    case SPW_DAYS_TO_MICROS: return 1;
    default: return 0;
  }
}

#endif
