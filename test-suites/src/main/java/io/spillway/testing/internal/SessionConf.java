package io.spillway.testing.internal;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;
import scala.collection.JavaConverters;

/** The settings of a session at one moment, to which it can be put back. */
final class SessionConf {
  private final RuntimeConfig conf;
  private final Map<String, String> kept;

  private SessionConf(RuntimeConfig conf) {
    this.conf = conf;
    this.kept = now(conf);
  }

  /** Those of now. */
  static SessionConf of(SparkSession spark) {
    return new SessionConf(spark.conf());
  }

  /** Takes back what was set, changed or unset since. */
  void restore() {
    Map<String, String> now = now(conf);
    for (String key : now.keySet()) {
      if (!kept.containsKey(key)) {
        conf.unset(key);
      }
    }
    kept.forEach(
        (key, value) -> {
          if (!value.equals(now.get(key))) {
            conf.set(key, value);
          }
        });
  }

  private static Map<String, String> now(RuntimeConfig conf) {
    return new HashMap<>(JavaConverters.mapAsJavaMap(conf.getAll()));
  }
}
