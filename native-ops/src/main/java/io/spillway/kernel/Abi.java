package io.spillway.kernel;

/**
 * The kernels' binary interface as Java sees it: codes, and the sizes and field offsets (in bytes)
 * of the structures that Java writes into native memory.
 *
 * <p>{@code spw_abi.h} says what each one means. A test compares every size and offset here with
 * the C compiler's, so an edit of one on one side alone does not pass; codes and limits it does not
 * compare.
 */
public final class Abi {
  private Abi() {}

  /** Raised with every change of a layout, a code or a function. */
  public static final int ABI_VERSION = 2;

  // ---- results ----

  /** A partition needs a page with at least the said free bytes. */
  public static final int NEEDS_PAGE = -1;

  /** A partition needs a hash index of at least the said slots. */
  public static final int NEEDS_INDEX = -2;

  /** The output buffer needs at least the said bytes for one row. */
  public static final int NEEDS_BYTES = -3;

  /** Rows of an instruction are left to the caller. */
  public static final int NEEDS_HOST = -4;

  public static final int BAD_ARGUMENT = -10;
  public static final int BAD_PROGRAM = -11;
  public static final int BAD_TYPE = -12;
  public static final int BAD_PAGE = -13;
  public static final int BAD_ROW = -14;
  public static final int BAD_IMAGE = -15;

  /** A string, or a row with its strings, takes more bytes than an int counts. */
  public static final int TOO_LONG = -16;

  // ---- CPU levels ----

  /** Code that runs on every processor of the platform. */
  public static final int LEVEL_BASELINE = 0;

  /** Code that needs AVX2 and BMI2. */
  public static final int LEVEL_AVX2 = 1;

  // ---- physical types ----

  public static final int T_BOOL = 1;
  public static final int T_I8 = 2;
  public static final int T_I16 = 3;
  public static final int T_I32 = 4;
  public static final int T_I64 = 5;
  public static final int T_F32 = 6;
  public static final int T_F64 = 7;
  public static final int T_I128 = 8;
  public static final int T_STR = 9;

  // ---- struct spw_str ----

  public static final int STR_SIZE = 16;
  public static final int STR_LENGTH = 0;
  public static final int STR_PREFIX = 4;
  public static final int STR_ADDRESS = 8;

  /** Strings of up to this many bytes lie inside the value. */
  public static final int STR_INLINE_BYTES = 12;

  // ---- struct spw_column ----

  public static final int KIND_VECTOR = 0;
  public static final int KIND_CONSTANT = 1;
  public static final int KIND_SCRATCH = 2;

  public static final int COLUMN_SIZE = 32;
  public static final int COLUMN_VALUES = 0;
  public static final int COLUMN_NULLS = 8;
  public static final int COLUMN_TYPE = 16;
  public static final int COLUMN_KIND = 20;
  public static final int COLUMN_HAS_NULLS = 24;
  public static final int COLUMN_RESERVED = 28;

  // ---- expression operations ----

  public static final int OP_MOV = 1;
  public static final int OP_ADD = 2;
  public static final int OP_SUB = 3;
  public static final int OP_MUL = 4;
  public static final int OP_DIV = 5;
  public static final int OP_NEG = 6;
  public static final int OP_DEC_ADD = 10;
  public static final int OP_DEC_SUB = 11;
  public static final int OP_DEC_MUL = 12;
  public static final int OP_DEC_SCALE_UP = 13;
  public static final int OP_DEC_CHECK = 14;
  public static final int OP_EQ = 20;
  public static final int OP_NE = 21;
  public static final int OP_LT = 22;
  public static final int OP_LE = 23;
  public static final int OP_EQ_NULL_SAFE = 24;
  public static final int OP_AND = 30;
  public static final int OP_OR = 31;
  public static final int OP_NOT = 32;
  public static final int OP_IS_NULL = 33;
  public static final int OP_IS_NOT_NULL = 34;
  public static final int OP_SELECT = 35;
  public static final int OP_COALESCE = 36;
  public static final int OP_CAST = 40;
  public static final int OP_NORM_FLOAT = 41;
  public static final int OP_STARTS_WITH = 50;
  public static final int OP_ENDS_WITH = 51;
  public static final int OP_CONTAINS = 52;
  public static final int OP_YEAR = 60;

  // ---- struct spw_instr ----

  public static final int INSTR_SIZE = 16;
  public static final int INSTR_OP = 0;
  public static final int INSTR_TYPE = 2;
  public static final int INSTR_DST = 4;
  public static final int INSTR_A = 6;
  public static final int INSTR_B = 8;
  public static final int INSTR_C = 10;
  public static final int INSTR_IMM = 12;

  // ---- struct spw_eval ----

  public static final int EVAL_SIZE = 64;
  public static final int EVAL_REGISTERS = 0;
  public static final int EVAL_CODE = 8;
  public static final int EVAL_NREGISTERS = 16;
  public static final int EVAL_NINSTRUCTIONS = 20;
  public static final int EVAL_ROWS = 24;
  public static final int EVAL_CHUNK_ROWS = 28;
  public static final int EVAL_HEAP = 32;
  public static final int EVAL_HEAP_END = 40;
  public static final int EVAL_NEED = 48;
  public static final int EVAL_AT_ROW = 56;
  public static final int EVAL_AT_INSTRUCTION = 60;

  public static final int EVAL_MAX_REGISTERS = 1024;
  public static final int EVAL_MAX_INSTRUCTIONS = 4096;
  public static final int EVAL_MIN_CHUNK_ROWS = 64;

  // ---- struct spw_page, rows ----

  public static final int PAGE_SIZE = 16;
  public static final int PAGE_CAPACITY = 0;
  public static final int PAGE_ROWS = 4;
  public static final int PAGE_BACK = 8;
  public static final int PAGE_RESERVED = 12;

  /** Bytes of a row before its keys: hash, null bits, flags. */
  public static final int ROW_HEADER = 16;

  // ---- struct spw_key ----

  public static final int KEY_SIZE = 8;
  public static final int KEY_TYPE = 0;
  public static final int KEY_OFFSET = 4;

  // ---- struct spw_partition ----

  public static final int PARTITION_SIZE = 48;
  public static final int PARTITION_PAGES = 0;
  public static final int PARTITION_INDEX = 8;
  public static final int PARTITION_INDEX_SLOTS = 16;
  public static final int PARTITION_INDEX_USED = 24;
  public static final int PARTITION_ROWS = 32;
  public static final int PARTITION_NPAGES = 40;
  public static final int PARTITION_RESERVED = 44;

  // ---- aggregate functions ----

  public static final int AGG_COUNT = 1;
  public static final int AGG_SUM_I64 = 2;
  public static final int AGG_SUM_F64 = 3;
  public static final int AGG_SUM_DEC = 4;
  public static final int AGG_AVG_F64 = 5;
  public static final int AGG_AVG_DEC = 6;
  public static final int AGG_MIN = 7;
  public static final int AGG_MAX = 8;
  public static final int AGG_FIRST = 9;
  public static final int AGG_LAST = 10;
  public static final int AGG_BITS_AND = 11;
  public static final int AGG_BITS_OR = 12;
  public static final int AGG_BITS_XOR = 13;
  public static final int AGG_MOMENTS = 14;

  // ---- struct spw_agg_fn ----

  public static final int FN_SIZE = 48;
  public static final int FN_OP = 0;
  public static final int FN_TYPE = 4;
  public static final int FN_STATE_OFFSET = 8;
  public static final int FN_INPUT = 12;
  public static final int FN_INPUT2 = 16;
  public static final int FN_PRECISION = 20;
  public static final int FN_OUT_PRECISION = 24;
  public static final int FN_SCALE_UP = 28;
  public static final int FN_OUT_TYPE = 32;
  public static final int FN_OUT_SCALE = 36;
  public static final int FN_INPUT3 = 40;
  public static final int FN_MERGE = 44;

  // ---- struct spw_agg ----

  public static final int AGG_SIZE = 104;
  public static final int AGG_KEYS = 0;
  public static final int AGG_INPUTS = 8;
  public static final int AGG_KEY_LAYOUT = 16;
  public static final int AGG_FUNCTIONS = 24;
  public static final int AGG_PARTITIONS = 32;
  public static final int AGG_SCRATCH = 40;
  public static final int AGG_NKEYS = 48;
  public static final int AGG_NINPUTS = 52;
  public static final int AGG_NFUNCTIONS = 56;
  public static final int AGG_ROW_WIDTH = 60;
  public static final int AGG_PARTITION_BITS = 64;
  public static final int AGG_HASH_SHIFT = 68;
  public static final int AGG_MERGE = 72;
  public static final int AGG_ROWS = 76;
  public static final int AGG_ROWS_DONE = 80;
  public static final int AGG_NEED_PARTITION = 88;
  public static final int AGG_RESERVED = 92;
  public static final int AGG_NEED = 96;

  /** Bytes of scratch space that an aggregation call needs. */
  public static final int AGG_SCRATCH_BYTES = 32768;

  public static final int AGG_MAX_KEYS = 32;
  public static final int AGG_MAX_FUNCTIONS = 256;

  /** The smallest index of a partition, in slots of 8 bytes. */
  public static final int AGG_MIN_INDEX_SLOTS = 64;

  // ---- struct spw_emit ----

  public static final int EMIT_SIZE = 56;
  public static final int EMIT_PAGE = 0;
  public static final int EMIT_KEY_LAYOUT = 8;
  public static final int EMIT_FUNCTIONS = 16;
  public static final int EMIT_OUT = 24;
  public static final int EMIT_NKEYS = 32;
  public static final int EMIT_NFUNCTIONS = 36;
  public static final int EMIT_ROW_WIDTH = 40;
  public static final int EMIT_FINAL = 44;
  public static final int EMIT_START_ROW = 48;
  public static final int EMIT_MAX_ROWS = 52;

  // ---- struct spw_row_batch ----

  public static final int ROW_BATCH_SIZE = 48;
  public static final int ROW_BATCH_COLUMNS = 0;
  public static final int ROW_BATCH_DATA = 8;
  public static final int ROW_BATCH_OFFSETS = 16;
  public static final int ROW_BATCH_CAPACITY = 24;
  public static final int ROW_BATCH_NCOLUMNS = 32;
  public static final int ROW_BATCH_ROWS = 36;
  public static final int ROW_BATCH_NEED = 40;

  public static final int ROW_BATCH_MAX_COLUMNS = 4096;

  /**
   * The width in bytes of one value of a physical type in a column.
   *
   * @throws IllegalArgumentException if the type is not one of the {@code T_} constants
   */
  public static int width(int type) {
    return switch (type) {
      case T_BOOL, T_I8 -> 1;
      case T_I16 -> 2;
      case T_I32, T_F32 -> 4;
      case T_I64, T_F64 -> 8;
      case T_I128, T_STR -> 16;
      default -> throw new IllegalArgumentException("not a physical type: " + type);
    };
  }

  /** The bytes that a key of this type takes in a row. */
  public static int keyWidth(int type) {
    return width(type) == 16 ? 16 : 8;
  }

  /**
   * The bytes that an aggregate's state takes in a row.
   *
   * @param op one of the {@code AGG_} constants
   * @param type the physical type of a minimum's, maximum's, first or last value; not looked at
   *     otherwise
   * @throws IllegalArgumentException if the operation is not known
   */
  public static int stateWidth(int op, int type) {
    return switch (op) {
      case AGG_COUNT -> 8;
      case AGG_SUM_I64, AGG_SUM_F64, AGG_AVG_F64 -> 16;
      case AGG_SUM_DEC -> 24;
      case AGG_AVG_DEC -> 32;
      case AGG_BITS_AND, AGG_BITS_OR, AGG_BITS_XOR -> 16;
      case AGG_MOMENTS -> 24;
      case AGG_MIN, AGG_MAX, AGG_FIRST, AGG_LAST -> width(type) == 16 ? 24 : 16;
      default -> throw new IllegalArgumentException("not an aggregate operation: " + op);
    };
  }
}
