package io.spillway.plan;

import java.util.Locale;
import org.apache.spark.sql.internal.SQLConf;

/**
 * The settings that planning reads in the session that plans, so that they can be changed at run
 * time with {@code SET}. Immutable.
 *
 * @param enabled whether anything is replaced at all
 * @param filter whether filters are
 * @param project whether projections are
 * @param hashAggregate whether aggregates are
 */
public record PlanSettings(
    boolean enabled, boolean filter, boolean project, boolean hashAggregate) {
  public static final String ENABLED = "spark.spillway.enabled";
  public static final String FILTER = "spark.spillway.operator.filter.enabled";
  public static final String PROJECT = "spark.spillway.operator.project.enabled";
  public static final String HASH_AGGREGATE = "spark.spillway.operator.hashAggregate.enabled";
  public static final String EXPLAIN_LOG = "spark.spillway.explain.log";

  /** What is logged of a query's plan. */
  public enum ExplainLog {
    OFF,
    FALLBACKS,
    ALL;

    /** As it is written in a setting. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What a session wants logged of its plans.
   *
   * @throws IllegalArgumentException if the setting has a wrong value; the message names it
   */
  public static ExplainLog explainLog(SQLConf conf) {
    String value = conf.getConfString(EXPLAIN_LOG, ExplainLog.OFF.text()).trim();
    for (ExplainLog choice : ExplainLog.values()) {
      if (choice.text().equalsIgnoreCase(value)) {
        return choice;
      }
    }
    throw new IllegalArgumentException(
        EXPLAIN_LOG + " must be off, fallbacks or all, not \"" + value + "\"");
  }

  /** The settings of a session. */
  public static PlanSettings of(SQLConf conf) {
    return new PlanSettings(
        flag(conf, ENABLED), flag(conf, FILTER), flag(conf, PROJECT), flag(conf, HASH_AGGREGATE));
  }

  private static boolean flag(SQLConf conf, String key) {
    String value = conf.getConfString(key, "true").trim();
    if (value.equalsIgnoreCase("true")) {
      return true;
    }
    if (value.equalsIgnoreCase("false")) {
      return false;
    }
    throw new IllegalArgumentException(key + " must be true or false, not \"" + value + "\"");
  }
}
