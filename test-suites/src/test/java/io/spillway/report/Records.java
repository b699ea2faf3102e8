package io.spillway.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Records of runs for tests, as agents write them. */
final class Records {
  private Records() {}

  static FiredFault fault(int stageId, int partition, int attempt, String point, long call) {
    return new FiredFault(
        7, "q", stageId, stageId, 0, partition, attempt, point, call, 1, "error", "", "0", "t", "");
  }

  static AttemptEnd end(
      int stageId, int partition, int attempt, String result, long startedMillis, boolean fatal) {
    return new AttemptEnd(
        "q",
        stageId,
        0,
        partition,
        attempt,
        "0",
        startedMillis,
        10,
        result,
        result.equals("succeeded") ? null : "boom",
        fatal,
        0,
        List.of(),
        List.of(new AttemptEnd.Recovery("native.alloc", 3, 2500)));
  }

  /**
   * A JVM's files: one fault at task.batch in partition 2 that was retried, and leaks. One that did
   * not end in order was disarmed too.
   */
  static void write(Path directory, int pid, String executor, boolean ended, String... more)
      throws IOException {
    Files.createDirectories(directory);
    Files.writeString(
        directory.resolve("points-" + pid + ".json"),
        """
        {"pid":%d,"executor":"%s","seed":7,%s"points":[
          {"name":"memory.acquire","armed":false,"instrumented":false,"reached":0,"fired":0},
          {"name":"task.batch","armed":true,"instrumented":true,"reached":40,"fired":1},
          {"name":"kernel.call","armed":true,"instrumented":false,"reason":"no such method","reached":0,"fired":0}],"rules":[
          {"rule":1,"point":"task.batch","fault":"exception","fired":1,"limited":2},
          {"rule":2,"point":"kernel.call","fault":"error","fired":0,"limited":0}]}
        """
            .formatted(pid, executor, ended ? "" : "\"disarmed\":\"the disk is full\","));
    Files.writeString(
        directory.resolve("jvm-" + pid + ".json"),
        """
        {"pid":%d,"executor":"%s","started":"2026-01-01T00:00:00Z",%s"attempts":5,"failedAttempts":1,\
        "leakedBytes":4096,"spillFilesLeft":1,"spillFiles":["/x/temp_local_1"],\
        "spillway":[{"usedBytes":0,"leakedBytes":512,"reclaimedBytes":64,"owners":["task 1 / Filter"]}],\
        "plan":"{version: 1, seed: 7, rules: [{point: task.batch, fault: exception, when: {keys: [{label: q, stage: 0, partition: 2, call: 3}, {label: q, stage: 0, partition: 2, call: 9}]}}]}"}
        """
            .formatted(pid, executor, ended ? "\"ended\":\"2026-01-01T00:01:00Z\"," : ""));
    Files.writeString(
        directory.resolve("fired-" + pid + ".jsonl"),
        """
        {"seed":7,"label":"q","stage":0,"partition":2,"attempt":0,"point":"task.batch","call":3,\
        "rule":1,"fault":"exception","stageId":4,"stageAttempt":0,"taskAttemptId":9,\
        "executor":"%s","thread":"worker 1","time":"2026-01-01T00:00:10Z"}
        """
            .formatted(executor));
    Files.writeString(
        directory.resolve("attempts-" + pid + ".jsonl"),
        """
        {"label":"q","stage":0,"partition":2,"attempt":0,"stageId":4,"stageAttempt":0,"taskAttemptId":9,"executor":"0","startedMillis":1000,"millis":50,"result":"failed","failure":"RuntimeException: x","fatal":false,"leftBytes":100,"owners":[],"faults":[{"point":"task.batch","call":3,"rule":1,"recoveryMicros":40}]}
        {"label":"q","stage":0,"partition":2,"attempt":1,"stageId":4,"stageAttempt":0,"taskAttemptId":10,"executor":"0","startedMillis":1250,"millis":50,"result":"succeeded","leftBytes":4096,"owners":["Sorter 4096 bytes"]}
        """
            + String.join("", more));
    Files.writeString(
        directory.resolve("memory-" + pid + ".jsonl"),
        """
        {"millis":1767225600000,"rssBytes":100,"directBytes":1,"heapBytes":10}
        {"millis":1767225609000,"rssBytes":200,"directBytes":2,"heapBytes":10}
        {"millis":1767225615000,"rssBytes":900,"directBytes":3,"heapBytes":10,"offHeapExecutionBytes":77}
        {"millis":1767225630000,"rssBytes":300,"directBytes":0,"heapBytes":10,"offHeapExecutionBytes":0}
        {"millis":1767225631000,"rssBy""");
  }
}
