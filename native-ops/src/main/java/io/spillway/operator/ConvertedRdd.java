package io.spillway.operator;

import java.util.Iterator;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.collection.JavaConverters;
import scala.reflect.ClassTag$;

/**
 * An RDD that can be told from others by its class, and asked what it is made of. As Spark's {@code
 * MapPartitionsRDD}, partition by partition. Made on the driver.
 *
 * @param <I> what it is made of
 * @param <O> what it has
 */
abstract class ConvertedRdd<I, O> extends RDD<O> {
  private static final long serialVersionUID = 1L;

  private RDD<I> source;

  ConvertedRdd(RDD<I> source, Class<O> type) {
    super(source, ClassTag$.MODULE$.apply(type));
    this.source = source;
  }

  /** Converts a partition, in its task. */
  abstract Iterator<O> convert(Iterator<I> input);

  /** What this is made of. */
  final RDD<I> source() {
    return source;
  }

  @Override
  public Partition[] getPartitions() {
    return source.partitions();
  }

  @Override
  public scala.collection.Iterator<O> compute(Partition split, TaskContext context) {
    return JavaConverters.asScalaIterator(
        convert(JavaConverters.asJavaIterator(source.iterator(split, context))));
  }

  @Override
  public void clearDependencies() {
    super.clearDependencies();
    source = null;
  }
}
