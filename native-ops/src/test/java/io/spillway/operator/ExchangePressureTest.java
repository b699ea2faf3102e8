package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Program;
import io.spillway.kernel.Abi;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.PartitionIdPassthrough;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import scala.collection.JavaConverters;

/**
 * When others want memory an exchange hands out what it has gathered, and gives the memory back.
 */
class ExchangePressureTest {
  private static final int BATCHES = 20;
  private static final int ROWS = 64;

  /**
   * What was seen.
   *
   * @param batchesAtImage for each image, how many batches had been read when it came
   * @param rows of all images
   * @param usedBeforeBytes by the task when the memory was wanted
   * @param usedAfterBytes by the task when the next batch was asked for
   */
  record Seen(List<Integer> batchesAtImage, long rows, long usedBeforeBytes, long usedAfterBytes)
      implements Serializable {}

  @Test
  void shouldHandOutWhatItHasAtOnceWhenMemoryIsWantedInTheMiddle() throws Exception {
    Seen calm = run(false);
    Seen pressed = run(true);

    assertThat(calm.batchesAtImage()).as("without pressure").containsOnly(BATCHES);
    assertThat(pressed.batchesAtImage().get(0)).as("batches read at the first image").isEqualTo(5);
    assertThat(pressed.rows()).isEqualTo((long) BATCHES * ROWS).isEqualTo(calm.rows());
    assertThat(pressed.usedAfterBytes()).isLessThan(pressed.usedBeforeBytes());
  }

  private static Seen run(boolean pressure) throws Exception {
    try (TestSession session = TestSession.open(1, "8m", Map.of())) {
      OperatorMetrics metrics = new OperatorMetrics(session.spark().sparkContext());
      NativeExchange exchange = exchange();
      JavaSparkContext context = JavaSparkContext.fromSparkContext(session.spark().sparkContext());
      Seen seen =
          context
              .parallelize(List.of(1), 1)
              .map(one -> inTask(exchange, metrics, pressure))
              .collect()
              .get(0);
      session.assertNothingLeft();
      return seen;
    }
  }

  private static NativeExchange exchange() throws Exception {
    Attribute column =
        new AttributeReference(
            "k",
            DataTypes.LongType,
            false,
            Metadata.empty(),
            NamedExpression.newExprId(),
            JavaConverters.asScalaBuffer(List.<String>of()).toList());
    Program keys = ExpressionCompiler.compile(List.of(column), List.of(column), false);
    List<DataType> types = List.of(DataTypes.LongType);
    return new NativeExchange(NativeExchange.Kind.HASH, keys, types, types);
  }

  private static Seen inTask(NativeExchange exchange, OperatorMetrics metrics, boolean pressure) {
    OperatorMemory other = OperatorContext.open("Other", null, metrics).memory();
    List<Integer> batchesAtImage = new ArrayList<>();
    long[] rows = new long[1];
    int[] batches = new int[1];
    long[] before = new long[1];
    long[] after = new long[1];
    Iterator<ColumnarBatch> child =
        new Iterator<>() {
          private final BatchView view = new BatchView(exchange.types());
          private final ColumnBuffer buffer = ColumnBuffer.allocate(other, Abi.T_I64, ROWS);

          @Override
          public boolean hasNext() {
            return batches[0] < BATCHES;
          }

          @Override
          public ColumnarBatch next() {
            batches[0]++;
            if (batches[0] == 6) {
              after[0] = used(other);
            }
            for (int i = 0; i < ROWS; i++) {
              Platform.putLong(null, buffer.values() + 8L * i, batches[0] * 1000L + i);
            }
            if (pressure && batches[0] == 5) {
              before[0] = used(other);
              NativeBlock refused = other.tryAllocate(100L << 20);
              assertThat(refused).as("more than there is").isNull();
            }
            view.vector(0).pointTo(buffer.values(), 0, ROWS);
            return view.batch(ROWS);
          }
        };
    ExchangeWriteIterator writer =
        new ExchangeWriteIterator(
            "Exchange(write)",
            child,
            exchange,
            new PartitionIdPassthrough(3),
            metrics,
            count -> {
              rows[0] += count;
              batchesAtImage.add(batches[0]);
            });
    while (writer.hasNext()) {
      writer.next();
    }
    return new Seen(batchesAtImage, rows[0], before[0], after[0]);
  }

  /** What all operators of the task hold. */
  private static long used(OperatorMemory operator) {
    return operator.task().usedBytes();
  }
}
