package io.spillway.memory.spill;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spilled state of one operator: segments, written one after the other, read in any order. Honours
 * Spark's local directories, compression codec and encryption; only this user can read it. There is
 * no file before the first segment, and a further one in another local directory only after a disk
 * refused.
 *
 * <p>Made by {@code OperatorMemory.createSpillFile()}. One thread at a time; {@link #close} may be
 * called from any, and is called by the task's scope at the latest.
 */
public final class SpillFile implements SpillSource {
  private static final Logger LOG = LoggerFactory.getLogger(SpillFile.class);

  private final SpillStore store;
  private final String owner;
  private LongConsumer spilled;
  private LongConsumer stored;
  private final List<SpillPart> parts = new ArrayList<>();
  private final Set<File> refusedDirectories = new HashSet<>();
  private SegmentWriter writer;
  private boolean shared;
  private boolean closed;

  /**
   * An empty spill file; nothing is on disk yet.
   *
   * @param store where it is to lie
   * @param owner for messages, such as {@code task 12 / HashAggregate(partial)}
   * @param spilled told the bytes of state in each frame, before compression
   * @param stored told the bytes of each finished segment, as stored
   */
  public SpillFile(SpillStore store, String owner, LongConsumer spilled, LongConsumer stored) {
    this.store = store;
    this.owner = owner;
    this.spilled = spilled;
    this.stored = stored;
  }

  /**
   * Starts a segment behind the last finished one; what an abandoned one wrote is overwritten.
   *
   * @return its writer; the caller finishes or closes it
   * @throws IOException if no local directory takes the file; nothing is left behind
   * @throws IllegalStateException if another segment is open, or this file is closed
   */
  public synchronized SegmentWriter newSegment() throws IOException {
    requireOwn();
    requireNoWriter();
    if (parts.isEmpty()) {
      parts.add(store.create(refusedDirectories));
    }
    SpillOutput output = new SpillOutput(this, parts.get(parts.size() - 1));
    writer = new SegmentWriter(this, output, store.wrap(output.part().block(), output));
    return writer;
  }

  @Override
  public synchronized SegmentReader read(SpillSegment segment) throws IOException {
    requireOwn();
    SpillPart part = part(segment);
    return reader(part, part.channel(), segment);
  }

  /**
   * Ends the writing, so that other tasks may read what is finished: from now on through the result
   * only. Its descriptors are closed here, as an interrupt of the thread that wrote must not reach
   * those who read. Whoever was told of bytes so far is let go.
   *
   * @return the same file; whoever shares it closes it, or this, which does the same
   * @throws IOException if a descriptor cannot be closed; the file can only be closed then
   * @throws IllegalStateException if a segment is open, or this file is shared or closed
   */
  public synchronized SharedSpillFile share() throws IOException {
    requireOwn();
    requireNoWriter();
    shared = true;
    spilled = bytes -> {};
    stored = bytes -> {};
    for (SpillPart part : parts) {
      part.channel().close();
    }
    return new SharedSpillFile(this);
  }

  /** Bytes of finished segments, as stored: after compression and encryption. */
  public synchronized long bytesWritten() {
    return parts.stream().mapToLong(SpillPart::length).sum();
  }

  /** Deletes what is on disk. A file that cannot be deleted is logged. Idempotent. */
  @Override
  public void close() {
    List<SpillPart> closing;
    SegmentWriter open;
    synchronized (this) {
      closed = true;
      closing = new ArrayList<>(parts);
      parts.clear();
      open = writer;
    }
    if (open != null) {
      open.close();
    }
    for (SpillPart part : closing) {
      try {
        part.close();
      } catch (IOException | RuntimeException e) {
        LOG.warn("Spill file {} of {} cannot be deleted: {}", part.file(), owner, e.toString());
      }
    }
  }

  @Override
  public synchronized boolean isClosed() {
    return closed;
  }

  String owner() {
    return owner;
  }

  // ---- what views use

  /** The part of a segment, once this file is shared. */
  synchronized SpillPart sharedPart(SpillSegment segment) {
    requireOpen();
    return part(segment);
  }

  /** A descriptor of its own for one who reads. */
  FileChannel openToRead(SpillPart part) throws IOException {
    return store.openToRead(part.file());
  }

  /** A reader over a channel, which the caller closes after it. */
  SegmentReader reader(SpillPart part, FileChannel channel, SpillSegment segment)
      throws IOException {
    InputStream bytes = new SpillInput(channel, segment.offset(), segment.length());
    return new SegmentReader(segment, part.file(), () -> store.wrap(part.block(), bytes));
  }

  private SpillPart part(SpillSegment segment) {
    if (segment.part() < 0 || segment.part() >= parts.size()) {
      throw new IllegalArgumentException(segment + " is not in the spill file of " + owner);
    }
    return parts.get(segment.part());
  }

  // ---- what writers use

  void frameWritten(long stateBytes) {
    spilled.accept(stateBytes);
  }

  /** A disk refused: the next part, in another local directory, or the failure with more words. */
  synchronized SpillPart nextPart(SpillPart full, IOException failure) throws IOException {
    requireOpen();
    refusedDirectories.add(full.localDirectory());
    try {
      SpillPart next = store.create(refusedDirectories);
      parts.add(next);
      LOG.warn(
          "Spill file {} of {} could not be written ({}); going on in {}",
          full.file(),
          owner,
          failure.getMessage(),
          next.localDirectory());
      return next;
    } catch (IOException e) {
      IOException clear =
          new IOException(
              "spill file "
                  + full.file()
                  + " of "
                  + owner
                  + " could not be written ("
                  + failure.getMessage()
                  + "), and "
                  + e.getMessage()
                  + ". Free space, or name more directories in spark.local.dir.",
              failure);
      clear.addSuppressed(e);
      throw clear;
    }
  }

  /** The writer is done; with null, its segment was abandoned and does not count. */
  void finished(SegmentWriter done, SpillOutput output) {
    synchronized (this) {
      if (writer == done) {
        writer = null;
      }
      if (output != null) {
        output.part().length(output.position());
      }
    }
    if (output != null) {
      stored.accept(output.position() - output.start());
    }
  }

  synchronized int indexOf(SpillPart part) {
    return parts.indexOf(part);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the spill file of " + owner + " is closed");
    }
  }

  private void requireOwn() {
    requireOpen();
    if (shared) {
      throw new IllegalStateException(
          "the spill file of " + owner + " is shared: it is read through views only");
    }
  }

  private void requireNoWriter() {
    if (writer != null) {
      throw new IllegalStateException("a segment of the spill file of " + owner + " is still open");
    }
  }
}
