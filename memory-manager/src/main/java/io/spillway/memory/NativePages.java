package io.spillway.memory;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The JNI face of the C page source, and whether it is there. */
final class NativePages {
  private static final Logger LOG = LoggerFactory.getLogger(NativePages.class);
  private static final int ABI_VERSION = 2;
  private static final boolean AVAILABLE = loaded();

  private NativePages() {}

  /** Whether blocks can be mapped; if not, they come from malloc, which keeps what it frees. */
  static boolean available() {
    return AVAILABLE;
  }

  private static boolean loaded() {
    try {
      NativeLibrary.load("spillway_memory", NativePages.class);
      int found = abiVersion();
      if (found == ABI_VERSION) {
        return true;
      }
      LOG.warn(
          "The page source library has ABI version {}, this jar needs {}: native memory comes from"
              + " malloc, and the process may hold more than is charged.",
          found,
          ABI_VERSION);
    } catch (NativeUnavailableException e) {
      LOG.warn(
          "{}: native memory comes from malloc, and the process may hold more than is charged.",
          e.getMessage());
    }
    return false;
  }

  private static native int abiVersion();

  /** Size of a page of the operating system, in bytes. */
  static native long pageSize();

  /** Maps a multiple of the page size; the address, or a negative errno. */
  static native long map(long bytes);

  /**
   * Unmaps exactly what {@link #map} returned, or several such ranges that lie side by side; 0, or
   * a negative errno.
   */
  static native long unmap(long address, long bytes);

  /**
   * Gives the memory of whole mapped pages back, and keeps the addresses; 0, or a negative errno.
   */
  static native long discard(long address, long bytes);
}
