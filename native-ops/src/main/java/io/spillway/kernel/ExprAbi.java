package io.spillway.kernel;

/**
 * Operations of expression programs beyond those of {@link Abi}, as {@code spw_abi_expr.h} lists
 * and describes them; a test compares the two.
 */
public final class ExprAbi {
  private ExprAbi() {}

  /** The null byte of a row that a kernel leaves to its caller. */
  public static final byte HOST_ROW = 2;

  /** Stands for {@code %} in the pattern of {@link #OP_LIKE}; no byte of UTF-8 text. */
  public static final byte LIKE_MANY = (byte) 0xff;

  /** Stands for {@code _}. */
  public static final byte LIKE_ONE = (byte) 0xfe;

  // ---- operations ----

  public static final int OP_REM = 70;
  public static final int OP_PMOD = 71;
  public static final int OP_IDIV = 72;
  public static final int OP_ABS = 73;
  public static final int OP_BIT_AND = 74;
  public static final int OP_BIT_OR = 75;
  public static final int OP_BIT_XOR = 76;
  public static final int OP_BIT_NOT = 77;
  public static final int OP_SHIFT_LEFT = 78;
  public static final int OP_SHIFT_RIGHT = 79;
  public static final int OP_SHIFT_RIGHT_UNSIGNED = 80;
  public static final int OP_SQRT = 81;
  public static final int OP_CEIL = 82;
  public static final int OP_FLOOR = 83;
  public static final int OP_SIGNUM = 84;
  public static final int OP_FLOOR_DIV = 85;
  public static final int OP_DEC_DOWN = 90;
  public static final int OP_DEC_LOW = 91;
  public static final int OP_DEC_ADD_WIDE = 92;
  public static final int OP_DEC_SUB_WIDE = 93;
  public static final int OP_DEC_MUL_WIDE = 94;
  public static final int OP_DEC_DIV = 95;
  public static final int OP_DEC_TO_F64 = 96;
  public static final int OP_HOST = 97;
  public static final int OP_INT_TO_STR = 100;
  public static final int OP_DATE_TO_STR = 101;
  public static final int OP_DEC_TO_STR = 102;
  public static final int OP_STR_TO_INT = 103;
  public static final int OP_STR_TO_DATE = 104;
  public static final int OP_LENGTH = 110;
  public static final int OP_BYTES = 111;
  public static final int OP_SUBSTRING = 112;
  public static final int OP_TRIM = 114;
  public static final int OP_LTRIM = 115;
  public static final int OP_RTRIM = 116;
  public static final int OP_UPPER = 117;
  public static final int OP_LOWER = 118;
  public static final int OP_LIKE = 119;
  public static final int OP_LOCATE = 120;
  public static final int OP_REPLACE = 121;
  public static final int OP_CONCAT = 122;
  public static final int OP_JOIN = 123;
  public static final int OP_REPEAT = 124;
  public static final int OP_LPAD = 125;
  public static final int OP_RPAD = 126;
  public static final int OP_REVERSE = 127;
  public static final int OP_SUBSTRING_INDEX = 128;
  public static final int OP_DATE_PART = 140;
  public static final int OP_ADD_MONTHS = 141;
  public static final int OP_MICROS_TO_DAYS = 142;
  public static final int OP_SECOND_OF_DAY = 143;
  public static final int OP_DAYS_TO_MICROS = 144;
  public static final int OP_QUARTER_START = 145;
  public static final int OP_MURMUR3 = 150;

  // ---- how OP_DEC_DOWN rounds ----

  public static final int ROUND_DOWN = 0;
  public static final int ROUND_HALF_UP = 1;
  public static final int ROUND_HALF_EVEN = 2;
  public static final int ROUND_FLOOR = 3;
  public static final int ROUND_CEILING = 4;

  // ---- parts of dates ----

  public static final int PART_MONTH = 1;
  public static final int PART_DAY = 2;
  public static final int PART_QUARTER = 3;
  public static final int PART_DAY_OF_WEEK = 4;
  public static final int PART_WEEKDAY = 5;
  public static final int PART_DAY_OF_YEAR = 6;
  public static final int PART_WEEK_OF_YEAR = 7;
  public static final int PART_YEAR_OF_WEEK = 8;
  public static final int PART_LAST_DAY = 9;
  public static final int PART_YEAR_START = 10;
  public static final int PART_MONTH_START = 11;
  public static final int PART_WEEK_START = 12;
}
