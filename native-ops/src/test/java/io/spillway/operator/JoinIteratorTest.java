package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.SharedLease;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The join operator by itself in a task: random sides against an oracle on the heap, in plenty of
 * memory and in far too little.
 */
class JoinIteratorTest {
  /** All but what only a broadcast join is: it has all of the build side's rows in sight. */
  private static final JoinSpec.Kind[] KINDS =
      EnumSet.complementOf(EnumSet.of(JoinSpec.Kind.NULL_AWARE_ANTI)).toArray(JoinSpec.Kind[]::new);

  /** What a broadcast join may be: no build row of it comes out by itself. */
  private static final JoinSpec.Kind[] SHARED_KINDS = {
    JoinSpec.Kind.INNER,
    JoinSpec.Kind.PROBE_OUTER,
    JoinSpec.Kind.SEMI,
    JoinSpec.Kind.ANTI,
    JoinSpec.Kind.EXISTENCE
  };

  @ParameterizedTest(name = "{0} joins, {1} off-heap, seed {2}")
  @CsvSource({"200, 64m, 1", "300, 1m, 2"})
  void shouldEqualTheOracleWhenSidesAreSmall(int cases, String offHeap, long seed) {
    run(offHeap, cases, seed, 400, 12);
  }

  @ParameterizedTest(name = "{0} joins, {1} off-heap, seed {2}, {3} rows at most")
  @CsvSource({"100, 64m, 21, 400", "100, 1m, 22, 400", "10, 1m, 23, 12000", "5, 4m, 24, 40000"})
  void shouldEqualTheOracleWhenTheBuildSideIsSharedOnDisk(
      int cases, String offHeap, long seed, int mostRows) {
    long spilledBytes = run(offHeap, cases, seed, mostRows, mostRows < 1000 ? 12 : 150, true);

    assertThat(spilledBytes).isPositive();
  }

  @ParameterizedTest(name = "{0} joins, {1} off-heap, seed {2}")
  @CsvSource({"14, 1m, 3", "7, 4m, 4"})
  void shouldEqualTheOracleWhenTheBuildSideDoesNotFit(int cases, String offHeap, long seed) {
    long spilledBytes = run(offHeap, cases, seed, offHeap.equals("1m") ? 12_000 : 40_000, 150);

    assertThat(spilledBytes).isPositive();
  }

  @Tag("soak")
  @ParameterizedTest(name = "{0} joins, {1} off-heap, seed {2}")
  @CsvSource({"20000, 64m, 11", "20000, 1m, 12"})
  void shouldEqualTheOracleInThousandsOfSmallJoins(int cases, String offHeap, long seed) {
    run(offHeap, cases, seed, 400, 12);
  }

  @Tag("soak")
  @ParameterizedTest(name = "{0} joins, {1} off-heap, seed {2}")
  @CsvSource({"2000, 64m, 31", "300, 1m, 32", "100, 4m, 33"})
  void shouldEqualTheOracleInThousandsOfJoinsThatShareTheBuildSide(
      int cases, String offHeap, long seed) {
    run(offHeap, cases, seed, cases > 1000 ? 400 : 30_000, 150, true);
  }

  @Tag("soak")
  @ParameterizedTest(name = "{0} joins, {1} off-heap, seed {2}")
  @CsvSource({"300, 1m, 13", "100, 4m, 14"})
  void shouldEqualTheOracleInHundredsOfStarvedJoins(int cases, String offHeap, long seed) {
    run(offHeap, cases, seed, 30_000, 150);
  }

  /** Joins so many random sides; answers the bytes spilled. */
  private static long run(String offHeap, int cases, long seed, int mostRows, int textBytes) {
    return run(offHeap, cases, seed, mostRows, textBytes, false);
  }

  private static long run(
      String offHeap, int cases, long seed, int mostRows, int textBytes, boolean shared) {
    try (TestSession session = TestSession.open(1, offHeap, Map.of())) {
      OperatorMetrics metrics = new OperatorMetrics(session.spark().sparkContext());
      JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.spark().sparkContext());
      // Many in one task: what one join leaves, the next one finds.
      List<String> differences =
          spark
              .parallelize(List.of(seed), 1)
              .map(s -> differences(s, cases, mostRows, textBytes, metrics, shared))
              .first();
      assertThat(differences).as("seed %d", seed).isEmpty();
      session.assertNothingLeft();
      return ExecutorMemory.installed().orElseThrow().snapshot().spilledBytes();
    }
  }

  private static List<String> differences(
      long seed, int cases, int mostRows, int textBytes, OperatorMetrics metrics, boolean shared)
      throws Exception {
    JoinSpec.Kind[] kinds = shared ? SHARED_KINDS : KINDS;
    Random seeds = new Random(seed);
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < cases && differences.size() < 3; i++) {
      long each = seeds.nextLong();
      JoinCase join = join(each, kinds[i % kinds.length], mostRows, textBytes);
      String difference =
          difference(join, each, shared ? shared(join, i, metrics) : own(join, metrics), metrics);
      if (!difference.isEmpty()) {
        differences.add("case " + i + ": " + difference);
      }
    }
    return differences;
  }

  private static BatchIterator own(JoinCase join, OperatorMetrics metrics) {
    return new JoinIterator(
        join.leftBatches(),
        join.rightBatches(),
        join.spec,
        join.leftTypes,
        join.rightTypes,
        join.outputTypes,
        metrics);
  }

  /** With the build side on disk, as one task of an executor writes it for all. */
  private static BatchIterator shared(JoinCase join, int number, OperatorMetrics metrics) {
    JoinShape shape = new JoinShape(join.spec, join.leftTypes, join.rightTypes, join.outputTypes);
    boolean buildLeft = join.spec.buildLeft();
    SharedLease<SharedPartitions> lease =
        ExecutorMemory.installed()
            .orElseThrow()
            .shared()
            .lease(
                "join " + number,
                SharedPartitions.class,
                OperatorContext.taskMemory("JoinIteratorTest"),
                region ->
                    new SharedPartitionsBuilder()
                        .build(
                            region,
                            buildLeft ? join.leftBatches() : join.rightBatches(),
                            shape,
                            metrics));
    return new JoinIterator(
        buildLeft ? join.rightBatches() : join.leftBatches(), lease, lease.value(), shape, metrics);
  }

  /** Joins, and says in what the result is not the oracle's; empty if it is. */
  private static String difference(
      JoinCase join, long seed, BatchIterator output, OperatorMetrics metrics) {
    Map<String, Integer> actual = new TreeMap<>();
    OperatorMemory neighbour = OperatorContext.open("Neighbour", null, metrics).memory();
    Random greed = new Random(seed);
    while (output.hasNext()) {
      ColumnarBatch batch = output.next();
      // Another operator of the task takes what it can get while the batch is looked at.
      NativeBlock taken = greed.nextInt(3) == 0 ? take(neighbour, greed) : null;
      for (int row = 0; row < batch.numRows(); row++) {
        JoinCase.add(actual, join.text(batch, row));
      }
      if (taken != null) {
        taken.close();
      }
    }
    neighbour.close();
    Map<String, Integer> expected = join.expected();
    if (expected.equals(actual)) {
      return "";
    }
    StringBuilder text = new StringBuilder(join.toString());
    compare(expected, actual, "missing", text);
    compare(actual, expected, "too many", text);
    return text.toString();
  }

  /** A mebibyte or less; null if it cannot be had. Spark spills the join for it, in any case. */
  private static NativeBlock take(OperatorMemory memory, Random random) {
    return memory.tryAllocate((long) (1 << 20) >> random.nextInt(4));
  }

  private static JoinCase join(long seed, JoinSpec.Kind kind, int rows, int mostTextBytes)
      throws Exception {
    Random random = new Random(seed);
    // A few joins have strings that no buffer was made for.
    boolean longTexts = random.nextInt(12) == 0;
    int mostRows = longTexts ? 30 : rows;
    int textBytes = longTexts ? 60_000 : mostTextBytes;
    boolean buildLeft = kind.emitsPairs() && random.nextBoolean();
    int buildRows = mostRows < 1000 ? random.nextInt(mostRows) : mostRows;
    int probeRows = random.nextInt(mostRows);
    boolean skewed = random.nextInt(3) == 0;
    // A skewed key comes out as the product of its rows: the probe side has few of them.
    int distinct = 1 + (mostRows < 1000 ? random.nextInt(200) : mostRows / (1 + random.nextInt(8)));
    double skew = skewed ? (mostRows < 1000 ? 0.3 : 0.9) : 0;
    if (skewed && mostRows >= 1000) {
      probeRows = 1 + random.nextInt(30);
    }
    return new JoinCase(
        random,
        kind,
        buildLeft,
        random.nextBoolean(),
        buildLeft ? buildRows : probeRows,
        buildLeft ? probeRows : buildRows,
        distinct,
        skew,
        textBytes);
  }

  private static void compare(
      Map<String, Integer> wanted, Map<String, Integer> found, String word, StringBuilder text) {
    int shown = 0;
    for (Map.Entry<String, Integer> row : wanted.entrySet()) {
      int lack = row.getValue() - found.getOrDefault(row.getKey(), 0);
      if (lack > 0 && shown++ < 5) {
        text.append('\n').append(word).append(' ').append(lack).append(": ").append(row.getKey());
      }
    }
    text.append('\n').append(shown).append(" rows ").append(word);
  }
}
