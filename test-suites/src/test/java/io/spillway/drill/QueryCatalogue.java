package io.spillway.drill;

import io.spillway.tpch.TpchQueries;
import io.spillway.tpch.TpchTables;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * All queries of TPC-H, the transactions query and the dashboard query, over tables of one scale
 * that stay in the build's folder.
 *
 * @param target the build's folder
 * @param scale TPC-H scale factor
 */
record QueryCatalogue(Path target, String scale) {

  /** The queries by name. */
  Map<String, Function<SparkSession, Dataset<Row>>> queries() {
    Map<String, Function<SparkSession, Dataset<Row>>> queries = new LinkedHashMap<>();
    for (int number : TpchQueries.numbers()) {
      queries.put("tpch-" + number, session -> session.sql(TpchQueries.text(number)));
    }
    for (DrillQuery query : DrillQueries.all()) {
      if (query.name().equals("transactions") || query.name().equals("dashboard")) {
        queries.put(
            query.name(),
            session -> {
              if (query.prepare() != null) {
                query.prepare().run(session, data());
              }
              return query.frame().apply(session, data());
            });
      }
    }
    return queries;
  }

  /** Makes the tables known to a session by name. */
  void register(SparkSession session) {
    DrillQueries.register(session, data());
    TpchTables.register(session, tpch());
  }

  /**
   * Makes the tables that are not there yet.
   *
   * @param session that writes them
   * @param work on the same disk as the build's folder
   */
  void make(SparkSession session, Path work) throws IOException {
    if (!Files.exists(tpch())) {
      Path making = work.resolve("tpch");
      TpchTables.write(session, making, Double.parseDouble(scale));
      Files.createDirectories(tpch().getParent());
      Files.move(making, tpch());
    }
    if (!data().exists()) {
      DrillData making = new DrillData(work.resolve("drill"), data().scale());
      DataMain.make(session, making, new ChildEvents(System.out));
      Files.createDirectories(data().directory().getParent());
      Files.move(making.directory(), data().directory());
    }
  }

  private DrillData data() {
    return DrillData.under(target.resolve("drill-data"), new BigDecimal(scale));
  }

  private Path tpch() {
    return TpchTables.directory(target.resolve("tpch-data"), scale);
  }
}
