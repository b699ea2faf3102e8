package io.spillway.drill;

/** The three passes of a drill, in order. */
enum Pass {
  PLAIN(1, "plain", "plain Spark, normal memory", false, false),
  STARVED(2, "starved", "Spillway, starved", true, false),
  FAULTS(3, "faults", "Spillway, starved, faults firing", true, true);

  private final int number;
  private final String id;
  private final String title;
  private final boolean spillway;
  private final boolean agent;

  Pass(int number, String id, String title, boolean spillway, boolean agent) {
    this.number = number;
    this.id = id;
    this.title = title;
    this.spillway = spillway;
    this.agent = agent;
  }

  /** Its name in reports and of its folder. */
  String id() {
    return id;
  }

  String title() {
    return title;
  }

  /** Counted from 1. */
  int number() {
    return number;
  }

  boolean hasSpillway() {
    return spillway;
  }

  boolean hasAgent() {
    return agent;
  }
}
