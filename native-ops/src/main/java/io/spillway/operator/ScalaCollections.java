package io.spillway.operator;

import java.util.List;
import scala.Predef;
import scala.Tuple2;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/** Java collections as the immutable Scala ones that Spark's plans want. Stateless. */
final class ScalaCollections {
  private ScalaCollections() {}

  static <T> Seq<T> seq(List<T> values) {
    return JavaConverters.asScalaBufferConverter(values).asScala().toList();
  }

  static <T> List<T> list(Seq<T> values) {
    return JavaConverters.seqAsJavaListConverter(values).asJava();
  }

  static <K, V> scala.collection.immutable.Map<K, V> map(java.util.Map<K, V> values) {
    return JavaConverters.mapAsScalaMapConverter(values)
        .asScala()
        .toMap(Predef.<Tuple2<K, V>>$conforms());
  }
}
