package io.spillway.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.spark.broadcast.Broadcast;

/**
 * Names the tables that joins share: two joins that keep the same of the same broadcast have one.
 * On the driver; thread-safe.
 */
final class SharedTables {
  /** What the joins of each broadcast keep of it, as long as the broadcast is known. */
  private static final Map<Broadcast<?>, List<JoinSpec>> KEPT = new WeakHashMap<>();

  private SharedTables() {}

  /** The name of a join's table within the application. */
  static String key(Broadcast<?> rows, JoinSpec join) {
    return "broadcast " + rows.id() + ", table " + number(rows, join);
  }

  private static synchronized int number(Broadcast<?> rows, JoinSpec join) {
    List<JoinSpec> kept = KEPT.computeIfAbsent(rows, each -> new ArrayList<>());
    for (int i = 0; i < kept.size(); i++) {
      if (kept.get(i).keepsSameBuildRows(join)) {
        return i;
      }
    }
    kept.add(join);
    return kept.size() - 1;
  }
}
