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

  /**
   * Those of this moment, once malloc has given back to the system what was freed: a compiler can
   * leave tens of mebibytes there at once. The JVM must have been started with {@code
   * NativeMemoryTracking}, and be one of JDK 17.0.9 or later.
   */
  static ProcessFigures now() throws IOException {
    diagnose("systemTrimNativeHeap");
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
    return diagnose("vmNativeMemory", "summary", "scale=KB");
  }

  private static String diagnose(String command, String... arguments) throws IOException {
    Object[] values = arguments.length == 0 ? new Object[0] : new Object[] {arguments};
    String[] types =
        arguments.length == 0 ? new String[0] : new String[] {String[].class.getName()};
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  command,
                  values,
                  types);
    } catch (JMException e) {
      throw new IOException("the JVM does not answer " + command, e);
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
