package io.spillway.plan;

import io.spillway.expression.NativeTypes;
import io.spillway.kernel.Abi;
import io.spillway.operator.CachedFrames;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.columnar.CachedBatch;
import org.apache.spark.sql.columnar.SimpleMetricsCachedBatchSerializer;
import org.apache.spark.sql.execution.columnar.DefaultCachedBatchSerializer;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.storage.StorageLevel;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * Keeps the frames that {@code cache()} and {@code CACHE TABLE} name as native columns, so that
 * native operators read them without rows; what it cannot keep so it leaves to Spark's own form.
 * The driver plugin names it in {@code spark.sql.cache.serializer}. Spark makes one for all frames,
 * so the form is chosen frame by frame, when a frame is first computed: a change of the switches
 * later changes how it is read, never whether it can be.
 *
 * <p>Stateless; called by Spark on the driver, on whatever thread plans.
 */
public final class SpillwayCachedBatchSerializer extends SimpleMetricsCachedBatchSerializer {
  private static final long serialVersionUID = 1L;

  private final DefaultCachedBatchSerializer spark = new DefaultCachedBatchSerializer();

  /**
   * Whatever the session's switches say: Spark asks when a frame is planned and once more when it
   * is computed, and keeps a plan that puts out batches from the first answer.
   */
  @Override
  public boolean supportsColumnarInput(Seq<Attribute> schema) {
    return Installation.isRunning() && haveNativeForms(types(schema));
  }

  @Override
  public RDD<CachedBatch> convertInternalRowToCachedBatch(
      RDD<InternalRow> input, Seq<Attribute> schema, StorageLevel level, SQLConf conf) {
    List<DataType> types = types(schema);
    return keeps(types, conf)
        ? CachedFrames.ofRows(input, types, conf.useCompression())
        : spark.convertInternalRowToCachedBatch(input, schema, level, conf);
  }

  /** Only asked for where {@link #supportsColumnarInput} said so when the frame was planned. */
  @Override
  public RDD<CachedBatch> convertColumnarBatchToCachedBatch(
      RDD<ColumnarBatch> input, Seq<Attribute> schema, StorageLevel level, SQLConf conf) {
    List<DataType> types = types(schema);
    return keeps(types, conf)
        ? CachedFrames.ofBatches(input, types, conf.useCompression())
        : spark.convertInternalRowToCachedBatch(
            CachedFrames.rowsOnTheJvm(input, schema), schema, level, conf);
  }

  @Override
  public boolean supportsColumnarOutput(StructType schema) {
    List<DataType> types =
        JavaConverters.seqAsJavaList(schema).stream().map(field -> field.dataType()).toList();
    return keeps(types, SQLConf.get()) || spark.supportsColumnarOutput(schema);
  }

  @Override
  public RDD<ColumnarBatch> convertCachedBatchToColumnarBatch(
      RDD<CachedBatch> input, Seq<Attribute> cached, Seq<Attribute> selected, SQLConf conf) {
    if (CachedFrames.areNative(input)) {
      return CachedFrames.batches(input, ordinals(cached, selected), types(selected));
    }
    if (spark.supportsColumnarOutput(schema(cached))) {
      return spark.convertCachedBatchToColumnarBatch(input, cached, selected, conf);
    }
    return CachedFrames.toBatches(
        spark.convertCachedBatchToInternalRow(input, cached, selected, conf), types(selected));
  }

  @Override
  public RDD<InternalRow> convertCachedBatchToInternalRow(
      RDD<CachedBatch> input, Seq<Attribute> cached, Seq<Attribute> selected, SQLConf conf) {
    if (!CachedFrames.areNative(input)) {
      return spark.convertCachedBatchToInternalRow(input, cached, selected, conf);
    }
    List<DataType> types = types(selected);
    return CachedFrames.toRows(
        CachedFrames.batches(input, ordinals(cached, selected), types), types);
  }

  /** Whether a session keeps frames of such columns natively. */
  private static boolean keeps(List<DataType> types, SQLConf conf) {
    PlanSettings settings = PlanSettings.of(conf);
    return Installation.isRunning()
        && settings.enabled()
        && settings.enabled(OperatorSwitch.CACHE)
        && Installation.gate().refusalOfAll().isEmpty()
        && haveNativeForms(types);
  }

  private static boolean haveNativeForms(List<DataType> types) {
    return !types.isEmpty()
        && types.size() <= Abi.ROW_BATCH_MAX_COLUMNS
        && types.stream().allMatch(type -> NativeTypes.of(type).isPresent());
  }

  private static List<DataType> types(Seq<Attribute> schema) {
    return JavaConverters.seqAsJavaList(schema).stream().map(Attribute::dataType).toList();
  }

  private static StructType schema(Seq<Attribute> attributes) {
    StructType schema = new StructType();
    for (Attribute attribute : JavaConverters.seqAsJavaList(attributes)) {
      schema = schema.add(attribute.name(), attribute.dataType(), attribute.nullable());
    }
    return schema;
  }

  private static int[] ordinals(Seq<Attribute> cached, Seq<Attribute> selected) {
    List<Long> ids =
        JavaConverters.seqAsJavaList(cached).stream().map(each -> each.exprId().id()).toList();
    return JavaConverters.seqAsJavaList(selected).stream()
        .mapToInt(each -> ids.indexOf(each.exprId().id()))
        .toArray();
  }
}
