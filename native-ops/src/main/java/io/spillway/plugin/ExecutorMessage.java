package io.spillway.plugin;

import io.spillway.memory.MemorySnapshot;
import io.spillway.memory.OperatorFailure;
import io.spillway.memory.guard.GuardStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What executors tell the driver. On the wire it is a map of the JDK's own types: a class of ours
 * that came by {@code --jars} may not be loadable where Spark deserialises messages.
 */
sealed interface ExecutorMessage {
  String TYPE = "type";
  String EXECUTOR = "executor";
  String READY = "ready";
  String SNAPSHOT = "snapshot";
  String QUERIES = "queries";
  String FAILED = "failed";

  /** Spark's id of the executor. */
  String executorId();

  /** The map for the wire. */
  Map<String, Object> toWire();

  /**
   * An executor can run native operators, or says why it cannot.
   *
   * @param limitBytes Spark's off-heap memory there
   * @param taskSlots tasks that run at once there
   * @param unavailable why there are no kernels; empty if there are
   */
  record Ready(String executorId, long limitBytes, int taskSlots, String unavailable)
      implements ExecutorMessage {
    @Override
    public Map<String, Object> toWire() {
      Map<String, Object> map = new HashMap<>();
      map.put(TYPE, READY);
      map.put(EXECUTOR, executorId);
      map.put("limitBytes", limitBytes);
      map.put("taskSlots", taskSlots);
      map.put("unavailable", unavailable);
      return map;
    }
  }

  /**
   * The figures of an executor's native memory.
   *
   * @param sequence grows with each snapshot of one executor, as messages may overtake each other
   * @param report the figures
   */
  record Snapshot(long sequence, ExecutorReport report) implements ExecutorMessage {
    static Snapshot of(
        String executorId, long sequence, MemorySnapshot memory, long taskPeakBytes, boolean last) {
      return new Snapshot(
          sequence,
          new ExecutorReport(
              executorId,
              memory.usedBytes(),
              memory.peakBytes(),
              taskPeakBytes,
              memory.spilledBytes(),
              memory.reclaimedBytes(),
              memory.leakedBytes(),
              memory.owners(),
              memory.guard(),
              last));
    }

    @Override
    public String executorId() {
      return report.executorId();
    }

    @Override
    public Map<String, Object> toWire() {
      Map<String, Object> map = new HashMap<>();
      map.put(TYPE, SNAPSHOT);
      map.put(EXECUTOR, report.executorId());
      map.put("sequence", sequence);
      map.put("usedBytes", report.usedBytes());
      map.put("peakBytes", report.peakBytes());
      map.put("taskPeakBytes", report.taskPeakBytes());
      map.put("spilledBytes", report.spilledBytes());
      map.put("reclaimedBytes", report.reclaimedBytes());
      map.put("leakedBytes", report.leakedBytes());
      map.put("owners", new ArrayList<>(report.owners()));
      map.put("guard", guardToWire(report.guard()));
      map.put("last", report.last());
      return map;
    }

    private static Map<String, Object> guardToWire(GuardStatus guard) {
      Map<String, Object> map = new HashMap<>();
      map.put("phase", guard.phase().name());
      map.put("reason", guard.reason());
      map.put("group", guard.group());
      map.put("usedBytes", guard.usedBytes());
      map.put("limitBytes", guard.limitBytes());
      map.put("residentBytes", guard.residentBytes());
      map.put("episodes", guard.episodes());
      return map;
    }
  }

  /**
   * Asks which of some queries have ended; the answer is a list of those.
   *
   * @param ids Spark's ids of SQL executions
   */
  record Queries(String executorId, List<String> ids) implements ExecutorMessage {
    @Override
    public Map<String, Object> toWire() {
      Map<String, Object> map = new HashMap<>();
      map.put(TYPE, QUERIES);
      map.put(EXECUTOR, executorId);
      map.put("ids", new ArrayList<>(ids));
      return map;
    }
  }

  /** A task attempt failed in a native operator. */
  record Failed(String executorId, OperatorFailure failure) implements ExecutorMessage {
    @Override
    public Map<String, Object> toWire() {
      Map<String, Object> map = new HashMap<>();
      map.put(TYPE, FAILED);
      map.put(EXECUTOR, executorId);
      map.put("operator", failure.operator());
      map.put("stageId", failure.stageId());
      map.put("stageAttempt", failure.stageAttempt());
      map.put("reason", failure.reason());
      return map;
    }
  }

  /**
   * Parses a message.
   *
   * @throws IllegalArgumentException if it is none of ours, or a field is missing or of a wrong
   *     type; the JDK's class, because it may travel back to the sender
   */
  static ExecutorMessage parse(Object message) {
    if (!(message instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException(
          "Spillway's driver does not know messages of type "
              + (message == null ? "null" : message.getClass().getName()));
    }
    Fields fields = new Fields(map);
    String type = fields.get(TYPE, String.class);
    return switch (type) {
      case READY ->
          new Ready(
              fields.get(EXECUTOR, String.class),
              fields.get("limitBytes", Long.class),
              fields.get("taskSlots", Integer.class),
              fields.get("unavailable", String.class));
      case SNAPSHOT ->
          new Snapshot(
              fields.get("sequence", Long.class),
              new ExecutorReport(
                  fields.get(EXECUTOR, String.class),
                  fields.get("usedBytes", Long.class),
                  fields.get("peakBytes", Long.class),
                  fields.get("taskPeakBytes", Long.class),
                  fields.get("spilledBytes", Long.class),
                  fields.get("reclaimedBytes", Long.class),
                  fields.get("leakedBytes", Long.class),
                  fields.strings("owners"),
                  fields.guard("guard"),
                  fields.get("last", Boolean.class)));
      case QUERIES -> new Queries(fields.get(EXECUTOR, String.class), fields.strings("ids"));
      case FAILED ->
          new Failed(
              fields.get(EXECUTOR, String.class),
              new OperatorFailure(
                  fields.get("operator", String.class),
                  fields.get("stageId", Integer.class),
                  fields.get("stageAttempt", Integer.class),
                  fields.get("reason", String.class)));
      default ->
          throw new IllegalArgumentException(
              "Spillway's driver does not know the message \"" + type + "\"");
    };
  }

  /** Typed access to a map that came from elsewhere. */
  record Fields(Map<?, ?> map) {
    <T> T get(String name, Class<T> type) {
      Object value = map.get(name);
      if (!type.isInstance(value)) {
        throw new IllegalArgumentException(
            "field \""
                + name
                + "\" of a message to Spillway's driver must be a "
                + type.getSimpleName()
                + ", but it is "
                + (value == null ? "missing" : "a " + value.getClass().getName()));
      }
      return type.cast(value);
    }

    GuardStatus guard(String name) {
      Fields fields = new Fields(get(name, Map.class));
      return new GuardStatus(
          fields.phase("phase"),
          fields.get("reason", String.class),
          fields.get("group", String.class),
          fields.get("usedBytes", Long.class),
          fields.get("limitBytes", Long.class),
          fields.get("residentBytes", Long.class),
          fields.get("episodes", Long.class));
    }

    private GuardStatus.Phase phase(String name) {
      String phase = get(name, String.class);
      for (GuardStatus.Phase known : GuardStatus.Phase.values()) {
        if (known.name().equals(phase)) {
          return known;
        }
      }
      throw new IllegalArgumentException(
          "field \""
              + name
              + "\" of a message to Spillway's driver is no phase of the container"
              + " guard: \""
              + phase
              + "\"");
    }

    List<String> strings(String name) {
      List<String> strings = new ArrayList<>();
      for (Object element : get(name, List.class)) {
        strings.add(String.valueOf(element));
      }
      return strings;
    }
  }
}
