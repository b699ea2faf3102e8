package io.spillway.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.types.DataType;

/**
 * What kernels compute for a window, and the columns that it goes to: one for all who ask for the
 * same. Used while one node is compiled.
 */
final class FigureColumns<F> {
  private final String prefix;
  private final List<F> figures = new ArrayList<>();
  private final List<Attribute> columns = new ArrayList<>();

  /**
   * @param prefix of the columns' names
   */
  FigureColumns(String prefix) {
    this.prefix = prefix;
  }

  /** What kernels compute. */
  List<F> figures() {
    return figures;
  }

  /** The columns that it goes to, in the same order. */
  List<Attribute> columns() {
    return columns;
  }

  /**
   * The column of a figure. Kernels have one type for several of Spark's, such as a date and an
   * integer; each of Spark's has a column of its own.
   */
  Attribute of(F figure, DataType type, boolean nullable) {
    for (int i = 0; i < figures.size(); i++) {
      if (figures.get(i).equals(figure) && columns.get(i).dataType().equals(type)) {
        return columns.get(i);
      }
    }
    figures.add(figure);
    Attribute column = WindowFunctions.attribute(prefix + figures.size(), type, nullable);
    columns.add(column);
    return column;
  }
}
