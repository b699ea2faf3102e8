package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;

class JoinTableTest {
  @Test
  void shouldSpillAPartitionWhenItsIndexIsAskedForAgainAndAgain() {
    try (TestSession session = TestSession.open(1, "64m", Map.of())) {
      OperatorMetrics metrics = new OperatorMetrics(session.spark().sparkContext());
      JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.spark().sparkContext());

      long absent =
          spark.parallelize(List.of(5L), 1).map(seed -> absentAfterSpills(seed, metrics)).first();

      // Four partitions: each gives its index once, then one of them goes for each request.
      assertThat(Long.bitCount(absent)).isEqualTo(2);
      session.assertNothingLeft();
    }
  }

  private static long absentAfterSpills(long seed, OperatorMetrics metrics) throws Exception {
    JoinCase join =
        new JoinCase(new Random(seed), JoinSpec.Kind.INNER, false, false, 10, 2000, 500, 0, 20);
    OperatorContext context = OperatorContext.open("JoinTableTest", null, metrics);
    JoinFrame frame =
        new JoinFrame(context, join.spec, join.leftTypes, join.rightTypes, join.outputTypes, 256);
    BuildInput builds =
        new BuildInput(join.rightBatches(), context, join.spec, join.rightTypes, 256);
    JoinTable table = new JoinTable(frame, 2, 0);
    while (builds.next()) {
      table.add(builds);
    }
    table.filled();
    for (int request = 0; request < 6; request++) {
      for (int i = 0; i < table.partitions(); i++) {
        if (!table.isAbsent(i)) {
          table.index(i, JoinTable.slotsFor(table.rows(i)));
        }
      }
      assertThat(table.spill(1, 0)).as("bytes freed").isPositive();
    }
    context.end();
    return table.absent();
  }
}
