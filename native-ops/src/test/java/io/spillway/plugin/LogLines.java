package io.spillway.plugin;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What is logged below a package while this is open. */
final class LogLines extends AbstractAppender implements AutoCloseable {
  private record Line(Level level, String message) {}

  private final Logger logger;
  private final List<Line> lines = new CopyOnWriteArrayList<>();

  private LogLines(Logger logger) {
    super("lines", null, null, true, Property.EMPTY_ARRAY);
    this.logger = logger;
  }

  static LogLines of(String name) {
    LogLines opened = new LogLines((Logger) LogManager.getLogger(name));
    opened.start();
    opened.logger.addAppender(opened);
    return opened;
  }

  /** Warnings and errors. */
  List<String> warnings() {
    return lines.stream()
        .filter(line -> line.level().isMoreSpecificThan(Level.WARN))
        .map(Line::message)
        .toList();
  }

  @Override
  public void append(LogEvent event) {
    lines.add(new Line(event.getLevel(), event.getMessage().getFormattedMessage()));
  }

  @Override
  public void close() {
    logger.removeAppender(this);
    stop();
  }
}
