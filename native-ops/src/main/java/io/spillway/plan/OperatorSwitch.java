package io.spillway.plan;

/** The switches of single operators: each is one setting that a session can change. */
public enum OperatorSwitch {
  FILTER("filter", "Whether filters are replaced."),
  PROJECT("project", "Whether projections are replaced."),
  HASH_AGGREGATE(
      "hashAggregate",
      "Whether hash aggregates, and sort aggregates over a sort of their own, are replaced."),
  SORT("sort", "Whether sorts are replaced."),
  SHUFFLED_HASH_JOIN(
      "shuffledHashJoin",
      "Whether joins of two shuffled sides, hash joins and sort-merge joins, are replaced."),
  BROADCAST_HASH_JOIN(
      "broadcastHashJoin",
      "Whether hash joins with a broadcast side are replaced, and their broadcast with them."),
  SHUFFLE_EXCHANGE(
      "shuffleExchange",
      "Whether shuffle exchanges by hash, by range, in turn, or into one partition, are replaced"
          + " where they move the rows of native operators."),
  LIMIT("limit", "Whether limits inside a plan are replaced."),
  TAKE_ORDERED(
      "takeOrdered",
      "Whether the first rows in order of each partition are found by a native operator."),
  WINDOW("window", "Whether windows, and the limits on ranks beneath them, are replaced."),
  EXPAND("expand", "Whether the expansions of grouping sets and distinct aggregates are replaced."),
  UNION("union", "Whether unions are replaced where one of their inputs is native."),
  COALESCE("coalesce", "Whether coalesced partitions stay in columns."),
  CACHE("cache", "Whether frames are cached as native columns, and read as such.");

  private final String key;
  private final String meaning;

  OperatorSwitch(String name, String meaning) {
    this.key = "spark.spillway.operator." + name + ".enabled";
    this.meaning = meaning;
  }

  /** The setting. */
  public String key() {
    return key;
  }

  /** One sentence for the documentation. */
  public String meaning() {
    return meaning;
  }
}
