package io.spillway.memory.spill;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task's reading of a {@link SharedSpillFile}. It has descriptors of its own, because an
 * interrupt closes the channel that its thread is reading: what ends one task's reading leaves the
 * others' alone.
 *
 * <p>One thread at a time; {@link #close} may be called from any.
 */
public final class SpillView implements SpillSource {
  private static final Logger LOG = LoggerFactory.getLogger(SpillView.class);

  private final SpillFile file;
  private final Map<SpillPart, FileChannel> channels = new HashMap<>();
  private boolean closed;

  SpillView(SpillFile file) {
    this.file = file;
  }

  @Override
  public synchronized SegmentReader read(SpillSegment segment) throws IOException {
    if (closed) {
      throw new IllegalStateException(
          "this view of the spill file of " + file.owner() + " is closed");
    }
    SpillPart part = file.sharedPart(segment);
    FileChannel channel = channels.get(part);
    if (channel == null) {
      channel = file.openToRead(part);
      channels.put(part, channel);
    }
    return file.reader(part, channel, segment);
  }

  @Override
  public synchronized boolean isClosed() {
    return closed;
  }

  /** Closes its descriptors; the file stays. Idempotent. */
  @Override
  public synchronized void close() {
    closed = true;
    for (FileChannel channel : channels.values()) {
      try {
        channel.close();
      } catch (IOException e) {
        // Everything that was wanted has been read and verified.
        LOG.debug("A view of the spill file of {} did not close cleanly", file.owner(), e);
      }
    }
    channels.clear();
  }
}
