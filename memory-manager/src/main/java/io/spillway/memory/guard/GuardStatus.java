package io.spillway.memory.guard;

/**
 * What the guard sees at one moment.
 *
 * @param phase what it does
 * @param reason why it is off; else empty
 * @param group whose limit is the nearest; empty if off
 * @param usedBytes of the group at the last look, file cache not counted
 * @param limitBytes of the group; {@link Long#MAX_VALUE} if there is none
 * @param residentBytes of this process at the last look; -1 if unknown
 * @param episodes how often the container came near its limit so far
 */
public record GuardStatus(
    Phase phase,
    String reason,
    String group,
    long usedBytes,
    long limitBytes,
    long residentBytes,
    long episodes) {
  /** What a guard does. */
  public enum Phase {
    /** Nothing: switched off, or there is no container. */
    OFF,
    /** It looks; tasks may grow. */
    WATCHING,
    /** The container is near its limit: tasks are asked to spill, and may not grow. */
    REFUSING
  }
}
