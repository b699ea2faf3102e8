package io.spillway.drill;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import scala.collection.JavaConverters;

/**
 * A value of a row as text that says it exactly: equal for equal values, and different for values
 * that are not. Arrays, structs and maps are written with their texts in quotes, maps in the order
 * of their keys, so that no text looks like several and no order of making shows.
 */
final class ResultText {
  private ResultText() {}

  /** A column's value; null stays null. */
  static String of(Object value) {
    return value == null || value instanceof String ? (String) value : inside(value, false);
  }

  private static String inside(Object value, boolean nested) {
    if (value == null) {
      return "null";
    } else if (value instanceof BigDecimal decimal) {
      return decimal.toPlainString();
    } else if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    } else if (value instanceof Row row) {
      return IntStream.range(0, row.size())
          .mapToObj(i -> inside(row.get(i), true))
          .collect(Collectors.joining(", ", "{", "}"));
    } else if (value instanceof scala.collection.Map<?, ?> map) {
      return entries(JavaConverters.mapAsJavaMap(map));
    } else if (value instanceof scala.collection.Seq<?> elements) {
      return list(JavaConverters.seqAsJavaList(elements));
    }
    return nested && !(value instanceof Number) && !(value instanceof Boolean)
        ? quoted(value.toString())
        : value.toString();
  }

  private static String list(List<?> elements) {
    return elements.stream()
        .map(element -> inside(element, true))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String entries(Map<?, ?> map) {
    Map<String, String> sorted = new TreeMap<>();
    map.forEach((key, value) -> sorted.put(inside(key, true), inside(value, true)));
    return sorted.entrySet().stream()
        .map(entry -> entry.getKey() + ": " + entry.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
