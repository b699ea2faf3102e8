package io.spillway.kernel;

/**
 * Sizes and offsets of the structures in {@code spw_abi_exchange.h}; a test compares them with the
 * C compiler's. Stateless.
 */
public final class ExchangeAbi {
  // ---- struct spw_exchange_column ----

  public static final int COLUMN_SIZE = 16;
  public static final int COLUMN_TYPE = 0;
  public static final int COLUMN_HAS_NULLS = 4;
  public static final int COLUMN_VALUES = 8;
  public static final int COLUMN_NULLS = 12;

  // ---- struct spw_exchange ----

  public static final int EXCHANGE_SIZE = 120;
  public static final int EXCHANGE_COLUMNS = 0;
  public static final int EXCHANGE_LAYOUT = 8;
  public static final int EXCHANGE_CHUNKS = 16;
  public static final int EXCHANGE_PIDS = 24;
  public static final int EXCHANGE_COUNTS = 32;
  public static final int EXCHANGE_REFS = 40;
  public static final int EXCHANGE_TEXT = 48;
  public static final int EXCHANGE_TEXT_END = 56;
  public static final int EXCHANGE_IMAGE = 64;
  public static final int EXCHANGE_IMAGE_CAPACITY = 72;
  public static final int EXCHANGE_NEED = 80;
  public static final int EXCHANGE_NCOLUMNS = 88;
  public static final int EXCHANGE_NPARTITIONS = 92;
  public static final int EXCHANGE_CHUNK_BITS = 96;
  public static final int EXCHANGE_NCHUNKS = 100;
  public static final int EXCHANGE_STORED = 104;
  public static final int EXCHANGE_ROWS = 108;
  public static final int EXCHANGE_IMAGE_BYTES = 112;
  public static final int EXCHANGE_RESERVED = 116;

  // ---- struct spw_image ----

  public static final int IMAGE_SIZE = 16;
  public static final int IMAGE_ADDRESS = 0;
  public static final int IMAGE_BYTES = 8;

  // ---- struct spw_exchange_read ----

  public static final int READ_SIZE = 32;
  public static final int READ_IMAGES = 0;
  public static final int READ_COLUMNS = 8;
  public static final int READ_NCOLUMNS = 16;
  public static final int READ_NIMAGES = 20;
  public static final int READ_CAPACITY = 24;
  public static final int READ_RESERVED = 28;

  /** Bytes of an image's header: its bytes and its rows, 4 each, little-endian. */
  public static final int IMAGE_HEADER_BYTES = 8;

  private ExchangeAbi() {}
}
