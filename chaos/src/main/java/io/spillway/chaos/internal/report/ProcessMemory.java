package io.spillway.chaos.internal.report;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What this process holds, as the operating system and the JVM tell it. Any thread. */
public final class ProcessMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";
  private static final int KIB = 1024;

  private final List<BufferPoolMXBean> pools =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class);

  /** Adds {@code rssBytes} (where /proc tells it), {@code directBytes} and {@code heapBytes}. */
  public JsonObject addTo(JsonObject sample) {
    long resident = residentBytes();
    if (resident >= 0) {
      sample.put("rssBytes", resident);
    }
    Runtime runtime = Runtime.getRuntime();
    return sample
        .put("directBytes", poolBytes("direct"))
        .put("heapBytes", runtime.totalMemory() - runtime.freeMemory());
  }

  private static long residentBytes() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(RESIDENT)) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) * KIB;
        }
      }
      return -1;
    } catch (IOException | NumberFormatException e) {
      return -1;
    }
  }

  private long poolBytes(String name) {
    return pools.stream()
        .filter(pool -> pool.getName().equals(name))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
