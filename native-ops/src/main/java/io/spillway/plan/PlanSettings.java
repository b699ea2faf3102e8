package io.spillway.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.internal.SQLConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings that planning reads in the session that plans, so that they can be changed at run
 * time with {@code SET}. Immutable.
 *
 * @param enabled whether anything is replaced at all
 * @param on the operators that are
 * @param breaker whether kinds that keep failing are left on the JVM for a while
 */
public record PlanSettings(boolean enabled, Set<OperatorSwitch> on, boolean breaker) {
  private static final Logger LOG = LoggerFactory.getLogger(PlanSettings.class);
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  public static final String ENABLED = "spark.spillway.enabled";
  public static final String BREAKER_ENABLED = "spark.spillway.breaker.enabled";
  public static final String EXPLAIN_LOG = "spark.spillway.explain.log";

  /** What the driver plugin adds to a session's extensions once it is sure that all can run. */
  public static final String EXTENSIONS = "io.spillway.plugin.SpillwayExtensions";

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
   * What a session wants logged of its plans; nothing if the setting has a wrong value, which is
   * warned of once.
   */
  public static ExplainLog explainLog(SQLConf conf) {
    String value = conf.getConfString(EXPLAIN_LOG, ExplainLog.OFF.text()).trim();
    for (ExplainLog choice : ExplainLog.values()) {
      if (choice.text().equalsIgnoreCase(value)) {
        return choice;
      }
    }
    warnOnce(EXPLAIN_LOG + " must be off, fallbacks or all, not \"" + value + "\"; taken as off");
    return ExplainLog.OFF;
  }

  /**
   * The settings of a session. A wrong value counts as false and is warned of once: an exception
   * here would reach the very {@code SET} or {@code RESET} that puts it right.
   */
  public static PlanSettings of(SQLConf conf) {
    Set<OperatorSwitch> on =
        Arrays.stream(OperatorSwitch.values())
            .filter(each -> flag(conf, each.key()))
            .collect(Collectors.toUnmodifiableSet());
    return new PlanSettings(flag(conf, ENABLED), on, flag(conf, BREAKER_ENABLED));
  }

  /** Whether an operator's kind is replaced. */
  boolean enabled(OperatorSwitch operator) {
    return on.contains(operator);
  }

  private static boolean flag(SQLConf conf, String key) {
    String value = conf.getConfString(key, "true").trim();
    if (value.equalsIgnoreCase("true")) {
      return true;
    }
    if (value.equalsIgnoreCase("false")) {
      return false;
    }
    warnOnce(key + " must be true or false, not \"" + value + "\"; taken as false");
    return false;
  }

  private static void warnOnce(String sentence) {
    if (WARNED.add(sentence)) {
      LOG.warn(sentence);
    }
  }
}
