package io.spillway.operator;

import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.NativeTypes;
import io.spillway.expression.Program;
import io.spillway.expression.UnsupportedException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * One random join and what must come out of it, worked out row by row on the heap.
 *
 * <p>Each side has its keys, then {@code id} (its row number), {@code v} (a small integer, which
 * the condition compares) and {@code text} (null, short or long).
 */
final class JoinCase {
  private static final DataType WIDE = DataTypes.createDecimalType(30, 2);
  private static final DataType[] KEY_TYPES = {
    DataTypes.LongType,
    DataTypes.IntegerType,
    DataTypes.StringType,
    DataTypes.DoubleType,
    DataTypes.BooleanType,
    WIDE,
    DataTypes.ShortType,
    DataTypes.FloatType
  };

  final JoinSpec spec;
  final List<DataType> leftTypes;
  final List<DataType> rightTypes;
  final List<DataType> outputTypes;
  private final JoinSpec.Kind kind;
  private final boolean condition;
  private final List<Object[]> left;
  private final List<Object[]> right;
  private final int keys;
  private final Random random;

  /**
   * @param distinct how many keys there are; 1: all rows have the same
   * @param skew the part of the rows of both sides that have one and the same key
   */
  JoinCase(
      Random random,
      JoinSpec.Kind kind,
      boolean buildLeft,
      boolean condition,
      int leftRows,
      int rightRows,
      int distinct,
      double skew,
      int textBytes)
      throws UnsupportedException {
    this.random = random;
    this.kind = kind;
    this.condition = condition;
    keys = 1 + random.nextInt(3);
    List<DataType> types = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      // The first key has room for all values.
      types.add(KEY_TYPES[random.nextInt(i == 0 ? 4 : KEY_TYPES.length)]);
    }
    types.add(DataTypes.LongType);
    types.add(DataTypes.IntegerType);
    types.add(DataTypes.StringType);
    leftTypes = types;
    rightTypes = types;
    left = rows(leftRows, distinct, skew, textBytes);
    right = rows(rightRows, distinct, skew, textBytes);
    outputTypes = new ArrayList<>(types);
    if (kind.emitsPairs()) {
      outputTypes.addAll(types);
    } else if (kind == JoinSpec.Kind.EXISTENCE) {
      outputTypes.add(DataTypes.BooleanType);
    }
    spec = spec(kind, buildLeft, types);
  }

  private JoinSpec spec(JoinSpec.Kind joinKind, boolean buildLeft, List<DataType> types)
      throws UnsupportedException {
    List<Attribute> probe = attributes(types);
    List<Attribute> build = attributes(types);
    List<Attribute> both = new ArrayList<>(probe);
    both.addAll(build);
    Program residual = null;
    if (condition) {
      Attribute mine = (buildLeft ? build : probe).get(keys + 1);
      Attribute other = (buildLeft ? probe : build).get(keys + 1);
      residual =
          ExpressionCompiler.compile(
              List.of(new LessThan((Expression) mine, (Expression) other)), both, false);
    }
    Program buildKeys = keys(build);
    int[] nativeTypes = types.stream().mapToInt(t -> NativeTypes.of(t).getAsInt()).toArray();
    int[] payload =
        IntStream.range(0, types.size())
            .filter(i -> joinKind.emitsPairs() || (condition && i == keys + 1))
            .filter(i -> Arrays.stream(buildKeys.passThrough()).noneMatch(key -> key == i))
            .toArray();
    return new JoinSpec(
        joinKind, buildLeft, buildKeys, keys(probe), nativeTypes, nativeTypes, payload, residual);
  }

  private Program keys(List<Attribute> input) throws UnsupportedException {
    List<Expression> expressions = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      Expression key = (Expression) input.get(i);
      boolean floating =
          key.dataType() instanceof DoubleType || key.dataType() == DataTypes.FloatType;
      expressions.add(floating ? new NormalizeNaNAndZero(key) : key);
    }
    return ExpressionCompiler.compile(expressions, input, false);
  }

  private static List<Attribute> attributes(List<DataType> types) {
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      attributes.add(
          new AttributeReference(
              "c" + i,
              types.get(i),
              true,
              Metadata.empty(),
              NamedExpression.newExprId(),
              ScalaCollections.seq(List.of())));
    }
    return attributes;
  }

  // ---- data

  private List<Object[]> rows(int count, int distinct, double skew, int textBytes) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Object[] row = new Object[keys + 3];
      int key = random.nextDouble() < skew ? 7 : random.nextInt(distinct);
      for (int k = 0; k < keys; k++) {
        // Further keys follow from the first, most of the time.
        int value = k == 0 ? key : random.nextInt(20) == 0 ? random.nextInt(3) : key % 5;
        row[k] = random.nextInt(25) == 0 ? null : value(leftTypes.get(k), value);
      }
      row[keys] = (long) i;
      row[keys + 1] = random.nextInt(10) == 0 ? null : random.nextInt(6);
      row[keys + 2] = text(i, textBytes);
      rows.add(row);
    }
    return rows;
  }

  private String text(int row, int textBytes) {
    return switch (random.nextInt(4)) {
      case 0 -> null;
      case 1 -> "t" + row;
      default -> "text of row " + row + "x".repeat(random.nextInt(textBytes + 1));
    };
  }

  private Object value(DataType type, int value) {
    if (type == DataTypes.LongType) {
      return value * 1_000_000_007L;
    }
    if (type == DataTypes.IntegerType) {
      return value;
    }
    if (type == DataTypes.ShortType) {
      return (short) value;
    }
    if (type == DataTypes.BooleanType) {
      return value % 2 == 0;
    }
    if (type == DataTypes.StringType) {
      return value % 2 == 0 ? "k" + value : "a key that is too long for its slot " + value;
    }
    if (type == DataTypes.DoubleType || type == DataTypes.FloatType) {
      double number =
          switch (value % 5) {
            case 0 -> value == 0 ? (random.nextBoolean() ? 0.0 : -0.0) : value;
            case 1 -> value == 1 ? Double.NaN : value;
            default -> value / 4.0;
          };
      return type == DataTypes.FloatType ? (Object) (float) number : (Object) number;
    }
    return new BigDecimal(BigInteger.valueOf(value).multiply(BigInteger.TEN.pow(20)), 2);
  }

  /** The left rows in batches of random sizes. */
  Iterator<ColumnarBatch> leftBatches() {
    return batches(left);
  }

  /** The right rows in batches of random sizes. */
  Iterator<ColumnarBatch> rightBatches() {
    return batches(right);
  }

  private Iterator<ColumnarBatch> batches(List<Object[]> rows) {
    int mostRows = 1 + random.nextInt(500);
    StructType schema = new StructType();
    for (int i = 0; i < leftTypes.size(); i++) {
      schema = schema.add("c" + i, leftTypes.get(i));
    }
    OnHeapColumnVector[] vectors = OnHeapColumnVector.allocateColumns(mostRows, schema);
    ColumnarBatch batch = new ColumnarBatch(vectors.clone());
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < rows.size();
      }

      @Override
      public ColumnarBatch next() {
        int count = Math.min(1 + random.nextInt(mostRows), rows.size() - next);
        for (int c = 0; c < vectors.length; c++) {
          vectors[c].reset();
          for (int r = 0; r < count; r++) {
            put(vectors[c], r, rows.get(next + r)[c]);
          }
        }
        next += count;
        batch.setNumRows(count);
        return batch;
      }
    };
  }

  private static void put(WritableColumnVector vector, int row, Object value) {
    if (value == null) {
      vector.putNull(row);
    } else if (value instanceof Long number) {
      vector.putLong(row, number);
    } else if (value instanceof Integer number) {
      vector.putInt(row, number);
    } else if (value instanceof Short number) {
      vector.putShort(row, number);
    } else if (value instanceof Boolean flag) {
      vector.putBoolean(row, flag);
    } else if (value instanceof Double number) {
      vector.putDouble(row, number);
    } else if (value instanceof Float number) {
      vector.putFloat(row, number);
    } else if (value instanceof BigDecimal number) {
      vector.putDecimal(row, Decimal.apply(number), 30);
    } else {
      vector.putByteArray(row, ((String) value).getBytes(StandardCharsets.UTF_8));
    }
  }

  // ---- what must come out

  /** Every row of the result as text, with how often it comes. */
  Map<String, Integer> expected() {
    Map<String, List<Integer>> byKey = new HashMap<>();
    for (int r = 0; r < right.size(); r++) {
      String key = key(right.get(r));
      if (key != null) {
        byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(r);
      }
    }
    Map<String, Integer> rows = new TreeMap<>();
    boolean[] rightMatched = new boolean[right.size()];
    for (Object[] row : left) {
      boolean matched = false;
      String key = key(row);
      for (int r : key == null ? List.<Integer>of() : byKey.getOrDefault(key, List.of())) {
        if (condition && !less(row[keys + 1], right.get(r)[keys + 1])) {
          continue;
        }
        matched = true;
        rightMatched[r] = true;
        if (kind.emitsPairs()) {
          add(rows, text(row) + text(right.get(r)));
        }
      }
      emitLeft(rows, row, matched);
    }
    for (int r = 0; r < right.size(); r++) {
      if (!rightMatched[r] && keepsRight()) {
        add(rows, text(new Object[keys + 3]) + text(right.get(r)));
      }
    }
    return rows;
  }

  private void emitLeft(Map<String, Integer> rows, Object[] row, boolean matched) {
    switch (kind) {
      case SEMI -> {
        if (matched) {
          add(rows, text(row));
        }
      }
      case ANTI -> {
        if (!matched) {
          add(rows, text(row));
        }
      }
      case EXISTENCE -> add(rows, text(row) + matched + "|");
      default -> {
        if (!matched && keepsLeft()) {
          add(rows, text(row) + text(new Object[keys + 3]));
        }
      }
    }
  }

  private boolean keepsLeft() {
    return spec.buildLeft() ? kind.keepsBuild() : kind.keepsProbe();
  }

  private boolean keepsRight() {
    return spec.buildLeft() ? kind.keepsProbe() : kind.keepsBuild();
  }

  private static boolean less(Object a, Object b) {
    return a != null && b != null && (Integer) a < (Integer) b;
  }

  /** The keys as text; null if one of them is null. */
  private String key(Object[] row) {
    StringBuilder text = new StringBuilder();
    for (int k = 0; k < keys; k++) {
      if (row[k] == null) {
        return null;
      }
      Object value = row[k];
      if (value instanceof Double number) {
        value = number + 0.0;
      } else if (value instanceof Float number) {
        value = number + 0.0F;
      }
      text.append(value).append('|');
    }
    return text.toString();
  }

  private static String text(Object[] row) {
    StringBuilder text = new StringBuilder();
    for (Object value : row) {
      text.append(value).append('|');
    }
    return text.toString();
  }

  static void add(Map<String, Integer> rows, String row) {
    rows.merge(row, 1, Integer::sum);
  }

  /** A row of a batch as {@link #expected()} writes it. */
  String text(ColumnarBatch batch, int row) {
    StringBuilder text = new StringBuilder();
    for (int c = 0; c < outputTypes.size(); c++) {
      text.append(value(outputTypes.get(c), batch.column(c), row)).append('|');
    }
    return text.toString();
  }

  private static Object value(DataType type, ColumnVector column, int row) {
    if (column.isNullAt(row)) {
      return null;
    }
    if (type == DataTypes.LongType) {
      return column.getLong(row);
    }
    if (type == DataTypes.IntegerType) {
      return column.getInt(row);
    }
    if (type == DataTypes.ShortType) {
      return column.getShort(row);
    }
    if (type == DataTypes.BooleanType) {
      return column.getBoolean(row);
    }
    if (type == DataTypes.DoubleType) {
      return column.getDouble(row);
    }
    if (type == DataTypes.FloatType) {
      return column.getFloat(row);
    }
    if (type instanceof DecimalType) {
      return column.getDecimal(row, 30, 2).toJavaBigDecimal();
    }
    return column.getUTF8String(row).toString();
  }

  /** What it is, for messages. */
  @Override
  public String toString() {
    return kind
        + (spec.buildLeft() ? ", builds left, " : ", builds right, ")
        + (condition ? "with condition, " : "")
        + left.size()
        + " x "
        + right.size()
        + " rows, types "
        + leftTypes;
  }
}
