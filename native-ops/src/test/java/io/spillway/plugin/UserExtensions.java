package io.spillway.plugin;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.util.QueryExecutionListener;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/** What a user had in the session before. */
public final class UserExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  static final AtomicInteger APPLIED = new AtomicInteger();

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    APPLIED.incrementAndGet();
    return BoxedUnit.UNIT;
  }

  /** A user's listener. */
  public static final class Listener implements QueryExecutionListener {
    static final AtomicInteger HEARD = new AtomicInteger();

    @Override
    public void onSuccess(String action, QueryExecution query, long durationNanos) {
      HEARD.incrementAndGet();
    }

    @Override
    public void onFailure(String action, QueryExecution query, Exception exception) {}
  }
}
