package io.spillway.drill;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a drill's tables lie.
 *
 * @param directory one folder for each scale and version of the generator
 * @param scale TPC-H scale factor
 */
record DrillData(Path directory, BigDecimal scale) {
  /** Raised whenever a generator or a schema changes, so that older tables are not taken. */
  static final int VERSION = 1;

  private static final BigDecimal TRANSACTIONS_AT_ONE = BigDecimal.valueOf(10_000_000);

  /** The tables of a scale under a folder that holds those of every scale. */
  static DrillData under(Path root, BigDecimal scale) {
    return new DrillData(root.resolve(scale.toPlainString() + "-" + VERSION), scale);
  }

  /** The folder is moved into place whole, so it is there only when its tables are. */
  boolean exists() {
    return Files.isDirectory(directory);
  }

  long transactionRows() {
    return scale.multiply(TRANSACTIONS_AT_ONE).longValueExact();
  }

  String lineitem() {
    return directory.resolve("lineitem").toString();
  }

  String transactions() {
    return directory.resolve("transactions").toString();
  }

  String regions() {
    return directory.resolve("regions").toString();
  }
}
