package io.spillway.plan;

import java.util.Optional;

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

  private final String kind;
  private final String meaning;

  OperatorSwitch(String kind, String meaning) {
    this.kind = kind;
    this.meaning = meaning;
  }

  /**
   * The kind of a native operator.
   *
   * @param operator its name as it stands in plans ({@code SpillwaySort}) or in figures of memory
   *     ({@code HashAggregate(partial)})
   * @return empty for what only changes the form of rows, for cached frames, which plans do not
   *     name, and for what is not ours
   */
  public static Optional<OperatorSwitch> of(String operator) {
    return switch (operator.replaceFirst("^Spillway", "").replaceFirst("\\(.*", "")) {
      case "Filter" -> Optional.of(FILTER);
      case "Project" -> Optional.of(PROJECT);
      case "HashAggregate" -> Optional.of(HASH_AGGREGATE);
      case "Sort" -> Optional.of(SORT);
      case "ShuffledHashJoin" -> Optional.of(SHUFFLED_HASH_JOIN);
      case "BroadcastHashJoin", "Broadcast", "BroadcastExchange" ->
          Optional.of(BROADCAST_HASH_JOIN);
      case "Exchange" -> Optional.of(SHUFFLE_EXCHANGE);
      case "Limit" -> Optional.of(LIMIT);
      case "TopN" -> Optional.of(TAKE_ORDERED);
      case "Window" -> Optional.of(WINDOW);
      case "Expand" -> Optional.of(EXPAND);
      case "Union" -> Optional.of(UNION);
      case "Coalesce" -> Optional.of(COALESCE);
      default -> Optional.empty();
    };
  }

  /** How it is called in settings, reasons and logs, such as {@code hashAggregate}. */
  public String kind() {
    return kind;
  }

  /** The setting. */
  public String key() {
    return "spark.spillway.operator." + kind + ".enabled";
  }

  /** One sentence for the documentation. */
  public String meaning() {
    return meaning;
  }
}
