package io.spillway.plan;

import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.Program;
import io.spillway.expression.UnsupportedException;
import io.spillway.kernel.RowsAbi;
import io.spillway.operator.NativeSortExec;
import io.spillway.operator.SortSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NullsLast$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/** Sorts, of partitions and of everything. */
final class SortCompiler implements NodeCompiler {
  @Override
  public boolean matches(SparkPlan node) {
    return node instanceof SortExec;
  }

  @Override
  public OperatorSwitch toggle() {
    return OperatorSwitch.SORT;
  }

  @Override
  public Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException {
    SortExec sort = (SortExec) node;
    SortSpec spec = spec(sort.sortOrder(), sort.child(), planning.ansi());
    return Replacement.keepingOrder(
        sort.child(), child -> new NativeSortExec(sort.sortOrder(), sort.global(), spec, child));
  }

  /**
   * The order compiled over the child's output, all of whose columns the sort carries.
   *
   * @throws UnsupportedException if a column or key has to stay on the JVM
   */
  static SortSpec spec(Seq<SortOrder> order, SparkPlan child, boolean ansi)
      throws UnsupportedException {
    Replacement.requireNativeForms(child);
    List<Attribute> output = Replacement.output(child);
    List<Expression> columns = new ArrayList<>(output);
    List<SortSpec.Key> keys = new ArrayList<>();
    for (SortOrder key : JavaConverters.seqAsJavaList(order)) {
      keys.add(
          new SortSpec.Key(
              column(key.child(), output, columns),
              !key.isAscending(),
              key.nullOrdering() == NullsLast$.MODULE$,
              key.child().nullable()));
    }
    if (keys.isEmpty()) {
      throw new UnsupportedException("a sort without keys");
    }
    if (columns.size() > RowsAbi.MAX_COLUMNS) {
      throw new UnsupportedException(
          columns.size() + " columns with the sort's keys; rows take " + RowsAbi.MAX_COLUMNS);
    }
    Program program = ExpressionCompiler.compile(columns, output, ansi);
    return new SortSpec(program, output.size(), keys, SortSpec.NO_LIMIT);
  }

  /** The number of the column that a key is; a key that is computed becomes one more. */
  private static int column(Expression key, List<Attribute> output, List<Expression> columns) {
    if (key instanceof Attribute attribute) {
      for (int i = 0; i < output.size(); i++) {
        if (output.get(i).exprId().equals(attribute.exprId())) {
          return i;
        }
      }
    }
    columns.add(key);
    return columns.size() - 1;
  }
}
