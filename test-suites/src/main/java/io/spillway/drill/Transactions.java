package io.spillway.drill;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The transactions that a drill ranks, and their regions.
 *
 * <p>Every row is a pure function of its id, so the table is the same however it is cut into files.
 * Regions and categories come with weights a tenth or more apart: the sums that a query ranks by
 * differ by far more than floating-point addition can blur, at any number of rows a drill makes.
 */
final class Transactions {
  static final StructType SCHEMA =
      new StructType()
          .add("id", DataTypes.LongType, false)
          .add("region", DataTypes.StringType, false)
          .add("category", DataTypes.StringType, false)
          .add("amount", DataTypes.DoubleType, false)
          .add("quantity", DataTypes.IntegerType, false);

  static final StructType REGIONS_SCHEMA =
      new StructType()
          .add("region", DataTypes.StringType, false)
          .add("city", DataTypes.StringType, false);

  private static final long SEED = 0x5_91_11_3A_7L;
  private static final String[] REGIONS = {"north", "south", "east", "west", "centre"};
  private static final String[] CITIES = {"Oslo", "Lisbon", "Warsaw", "Dublin", "Vienna"};
  private static final String[] CATEGORIES = {"food", "travel", "energy", "books"};
  // Cumulative shares in thousandths.
  private static final int[] REGION_SHARES = {160, 340, 540, 760, 1000};
  private static final int[] CATEGORY_SHARES = {170, 380, 650, 1000};
  private static final int LEAST_CENTS = 10 * 100;
  private static final int MOST_CENTS = 10_000 * 100;
  private static final int MOST_QUANTITY = 100;

  private Transactions() {}

  /** Transactions {@code from} (included) to {@code to} (excluded). */
  static Iterator<Row> rows(long from, long to) {
    return new Iterator<>() {
      private long id = from;

      @Override
      public boolean hasNext() {
        return id < to;
      }

      @Override
      public Row next() {
        if (id >= to) {
          throw new NoSuchElementException("no transaction " + id);
        }
        return row(id++);
      }
    };
  }

  /** The five regions, each with its city. */
  static List<Row> regions() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < REGIONS.length; i++) {
      rows.add(RowFactory.create(REGIONS[i], CITIES[i]));
    }
    return rows;
  }

  private static Row row(long id) {
    String region = REGIONS[pick(REGION_SHARES, mix(id, 1))];
    String category = CATEGORIES[pick(CATEGORY_SHARES, mix(id, 2))];
    double amount =
        (LEAST_CENTS + Long.remainderUnsigned(mix(id, 3), MOST_CENTS - LEAST_CENTS + 1)) / 100.0;
    int quantity = 1 + (int) Long.remainderUnsigned(mix(id, 4), MOST_QUANTITY);
    return RowFactory.create(id, region, category, amount, quantity);
  }

  private static int pick(int[] shares, long random) {
    int thousandth = (int) Long.remainderUnsigned(random, 1000);
    int index = 0;
    while (thousandth >= shares[index]) {
      index++;
    }
    return index;
  }

  // SplitMix64's finisher over id and column.
  private static long mix(long id, int column) {
    long z = SEED + (id * 8 + column) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
