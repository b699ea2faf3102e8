package io.spillway.drill;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Memory of this process.
 *
 * @param residentBytes that the system has given it
 * @param jvmBytes that the JVM itself accounts for: heap, code, classes, stacks. Without what its
 *     compilers hold while they compile, which comes and goes from one moment to the next
 */
record ProcessFigures(long residentBytes, long jvmBytes) {
  private static final Pattern TOTAL = Pattern.compile("Total: .*committed=(\\d+)KB");
  private static final Pattern COMPILING =
      Pattern.compile("(?:Compiler|Arena Chunk) \\(reserved=\\d+KB, committed=(\\d+)KB");

  /** Those of this moment. The JVM must have been started with {@code NativeMemoryTracking}. */
  static ProcessFigures now() throws IOException {
    return new ProcessFigures(resident(), accounted(tracking()));
  }

  /** What a summary of the JVM's native memory tracking in KB says. */
  static long accounted(String summary) {
    Matcher total = TOTAL.matcher(summary);
    if (!total.find()) {
      throw new IllegalStateException(
          "the JVM does not track its native memory, start it with"
              + " -XX:NativeMemoryTracking=summary: "
              + summary);
    }
    long kib = Long.parseLong(total.group(1));
    for (Matcher part = COMPILING.matcher(summary); part.find(); ) {
      kib -= Long.parseLong(part.group(1));
    }
    return kib * 1024;
  }

  private static String tracking() throws IOException {
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "vmNativeMemory",
                  new Object[] {new String[] {"summary", "scale=KB"}},
                  new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new IOException("the JVM's native memory tracking cannot be asked", e);
    }
  }

  private static long resident() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    throw new IOException("/proc/self/status has no VmRSS");
  }
}
