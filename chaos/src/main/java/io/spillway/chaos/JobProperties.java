package io.spillway.chaos;

/** The local properties by which whoever drives Spark's jobs names them for the agent. */
public final class JobProperties {
  /** The query's label: part of a fault's key, whatever ids Spark gives to the stages. */
  public static final String LABEL = "spillway.chaos.label";

  /** The id of the query's first stage: stages are counted from it. */
  public static final String STAGE_BASE = "spillway.chaos.stageBase";

  private JobProperties() {}
}
