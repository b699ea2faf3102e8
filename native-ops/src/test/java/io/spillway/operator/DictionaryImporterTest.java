package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.kernel.Abi;
import io.spillway.memory.OperatorMemory;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.execution.datasources.parquet.ParquetDictionary;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;

class DictionaryImporterTest {
  private static final int ENTRIES = 100;
  private static final int ROWS = 64;

  @Test
  void shouldDecodeEachEntryOnceWhenTheReaderWrapsTheDictionaryAnewForEachBatch() {
    assertThat(inATask(false)).isEqualTo(ENTRIES);
  }

  @Test
  void shouldDecodeAnewWhenTheNextColumnChunkHasADictionaryOfItsOwn() {
    assertThat(inATask(true)).isGreaterThan(ENTRIES);
  }

  @Test
  void shouldTakeWrappersOfOneDictionaryForTheSameUnlessTheyTransformItOtherwise() {
    Squares squares = new Squares();
    ParquetDictionary plain = new ParquetDictionary(squares, false);
    assertThat(ParquetDictionaries.same(plain, plain)).isTrue();
    assertThat(ParquetDictionaries.same(plain, new ParquetDictionary(squares, false))).isTrue();
    assertThat(ParquetDictionaries.same(plain, new ParquetDictionary(squares, true))).isFalse();
    assertThat(ParquetDictionaries.same(plain, new ParquetDictionary(new Squares(), false)))
        .isFalse();
    assertThat(ParquetDictionaries.same(plain, null)).isFalse();
  }

  /** Entries decoded over some batches. */
  private static int inATask(boolean chunks) {
    try (TestSession session = TestSession.open(1, "16m", Map.of())) {
      OperatorMetrics metrics = new OperatorMetrics(session.spark().sparkContext());
      int decoded =
          JavaSparkContext.fromSparkContext(session.spark().sparkContext())
              .parallelize(List.of(chunks), 1)
              .map(each -> load(metrics, each))
              .first();
      session.assertNothingLeft();
      return decoded;
    }
  }

  private static int load(OperatorMetrics metrics, boolean chunks) {
    OperatorMemory memory = OperatorContext.open("DictionaryImporterTest", null, metrics).memory();
    DictionaryImporter importer =
        new DictionaryImporter(memory, DataTypes.LongType, Abi.T_I64, 1 << 20);
    long target = memory.allocate(8L * ROWS).address();
    Squares squares = new Squares();
    int decoded = 0;
    for (int batch = 0; batch < 5; batch++) {
      if (chunks && batch == 3) {
        decoded += squares.decoded;
        squares = new Squares();
      }
      try (OnHeapColumnVector column = new OnHeapColumnVector(ROWS, DataTypes.LongType)) {
        WritableColumnVector ids = column.reserveDictionaryIds(ROWS);
        for (int row = 0; row < ROWS; row++) {
          ids.putInt(row, (row * 7 + batch * 31) % ENTRIES);
        }
        // Every entry is asked for in the first batch.
        ids.putInt(0, ENTRIES - 1);
        column.setDictionary(new ParquetDictionary(squares, false));
        assertThat(importer.load(column, 0, ROWS, 0, target)).isTrue();
        for (int row = 0; row < ROWS; row++) {
          long id = ids.getInt(row);
          assertThat(Platform.getLong(null, target + 8L * row)).isEqualTo(id * id);
        }
      }
    }
    return decoded + squares.decoded;
  }

  /** Entry n is the square of n; counts what is asked for. */
  private static final class Squares extends Dictionary {
    private int decoded;

    Squares() {
      super(Encoding.PLAIN);
    }

    @Override
    public int getMaxId() {
      return ENTRIES - 1;
    }

    @Override
    public long decodeToLong(int id) {
      decoded++;
      return (long) id * id;
    }
  }
}
