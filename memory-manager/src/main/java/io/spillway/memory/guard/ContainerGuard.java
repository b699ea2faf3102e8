package io.spillway.memory.guard;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.event.MemoryEventListener;
import io.spillway.memory.guard.GuardStatus.Phase;
import io.spillway.memory.guard.MemoryReader.Reading;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the executor away from its container's limit, where the kernel would kill it: near the
 * limit it asks tasks to spill and refuses that they grow, until there is room again. Thread-safe.
 *
 * <p>A thread of its own looks at fixed intervals. In between, what tasks have taken since the last
 * look is added to it, and a task whose growth would come near the limit looks itself: tasks can
 * fill a container faster than any interval.
 *
 * <p>Its lock is never waited for: who finds it taken goes by the figures that are there.
 */
public final class ContainerGuard implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerGuard.class);
  private static final long JOIN_MILLIS = 1000;
  private static final Reading UNKNOWN = new Reading("unknown", 0, Reading.NO_LIMIT, -1);

  /**
   * A look, and what the ledger said just before it.
   *
   * @param reading of the container
   * @param ledgerBytes used by tasks then
   */
  private record Sample(Reading reading, long ledgerBytes) {}

  private final GuardSettings settings;
  private final MemoryReader reader;
  private final String offReason;
  private final LongSupplier nanoClock;
  private final Hysteresis hysteresis;
  private final ReentrantLock looking = new ReentrantLock();
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile Sample last;
  private volatile boolean refusing;
  private volatile boolean shedFails;
  private final AtomicLong episodes = new AtomicLong();
  private LongSupplier ledgerBytes;
  private LongConsumer shed;
  private MemoryEventListener listener;
  private Thread thread;

  /** Under the lock. */
  private long beganNanos;

  /** Under the lock. */
  private boolean blind;

  private ContainerGuard(
      GuardSettings settings, MemoryReader reader, LongSupplier nanoClock, String offReason) {
    this.settings = settings;
    this.reader = reader;
    this.nanoClock = nanoClock;
    this.offReason = offReason;
    this.hysteresis = new Hysteresis(settings);
  }

  /**
   * A guard over what a reader reads. Watches nothing before {@link #start}.
   *
   * @param settings thresholds and interval
   * @param reader of the container's figures
   * @param nanoClock such as {@link System#nanoTime}
   */
  public ContainerGuard(GuardSettings settings, MemoryReader reader, LongSupplier nanoClock) {
    this(settings, reader, nanoClock, "");
  }

  /** A guard over this process's container; off, and saying why, if there is none. */
  public static ContainerGuard ofThisProcess(GuardSettings settings) {
    return of(settings, Path.of("/proc/self"));
  }

  static ContainerGuard of(GuardSettings settings, Path process) {
    if (!settings.enabled()) {
      return off(settings, "it is switched off");
    }
    try {
      return new ContainerGuard(settings, ContainerMemory.find(process), System::nanoTime);
    } catch (NoContainerException e) {
      return off(settings, e.getMessage());
    }
  }

  /** A guard that does nothing and lets everything grow. */
  public static ContainerGuard off(GuardSettings settings, String reason) {
    return new ContainerGuard(settings, null, System::nanoTime, reason);
  }

  /**
   * Starts to watch. To be called once.
   *
   * @param ledgerBytes what tasks use now; called from any thread, must not block
   * @param shed asks tasks to give so many bytes back, 0 takes that back; called from any thread,
   *     with none of the guard's locks held, and must only leave a note
   * @param listener hears when an episode begins and ends, on the thread that found out
   */
  public void start(LongSupplier ledgerBytes, LongConsumer shed, MemoryEventListener listener) {
    this.ledgerBytes = ledgerBytes;
    this.shed = shed;
    this.listener = listener;
    if (reader == null) {
      LOG.info("The container guard is off: {}", offReason);
      return;
    }
    look();
    LOG.info("The container guard is on: {}", figures());
    thread = new Thread(this::watch, "spillway-container-guard");
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    try {
      while (!stop.await(settings.intervalMillis(), TimeUnit.MILLISECONDS)) {
        look();
      }
    } catch (InterruptedException e) {
      // Nobody else has this thread: it is told to end.
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Whether a task may grow. May look at the container, and leave a note for tasks to spill; calls
   * nothing of Spark.
   *
   * @param bytes by which it wants to
   * @return false near the limit; the caller goes on with the ladder
   */
  public boolean admits(long bytes) {
    if (reader == null || (!refusing && fits(bytes))) {
      return true;
    }
    look(bytes);
    return !refusing && fits(bytes);
  }

  /** Whether growth is refused at the moment, whatever its size. */
  public boolean isRefusing() {
    return refusing;
  }

  private boolean fits(long bytes) {
    Sample sample = last;
    if (sample == null || sample.reading().limitBytes() == Reading.NO_LIMIT) {
      return true;
    }
    long sinceBytes = Math.max(0, ledgerBytes.getAsLong() - sample.ledgerBytes());
    return bytes
        <= settings.highBytes(sample.reading().limitBytes())
            - sample.reading().usedBytes()
            - sinceBytes;
  }

  /** Looks at the container now, as the guard's thread does after each interval. */
  public void look() {
    look(0);
  }

  /** One look, by whoever comes first; the others go by what there is. */
  private void look(long askedBytes) {
    if (!looking.tryLock()) {
      return;
    }
    MemoryEvent event;
    long shedBytes;
    try {
      // First the ledger: what is taken during the look counts twice then, rather than never.
      long ledger = ledgerBytes.getAsLong();
      Hysteresis.Change change = observe(ledger, askedBytes);
      event = event(change, ledger);
      shedBytes = shedBytes(change, askedBytes);
    } finally {
      looking.unlock();
    }
    if (shedBytes >= 0) {
      askFor(shedBytes);
    }
    if (event != null) {
      listener.onEvent(event);
    }
  }

  /**
   * What fails there keeps neither the guard's thread from its next look nor a task from going on.
   */
  private void askFor(long bytes) {
    try {
      shed.accept(bytes);
      shedFails = false;
    } catch (RuntimeException | Error e) {
      if (!shedFails) {
        LOG.warn("The container is near its limit, and not all could be asked for memory", e);
      }
      shedFails = true;
    }
  }

  private Hysteresis.Change observe(long ledger, long askedBytes) {
    Reading reading;
    try {
      reading = reader.read();
      blind = false;
    } catch (IOException | RuntimeException e) {
      if (!blind) {
        LOG.warn(
            "The container's memory cannot be read; tasks may grow until it can: {}", e.toString());
      }
      blind = true;
      reading = UNKNOWN;
    }
    last = new Sample(reading, ledger);
    Hysteresis.Change change =
        hysteresis.observe(reading.usedBytes(), askedBytes, reading.limitBytes());
    refusing = hysteresis.refusing();
    return change;
  }

  private MemoryEvent event(Hysteresis.Change change, long ledger) {
    if (change == Hysteresis.Change.NONE) {
      return null;
    }
    long now = nanoClock.getAsLong();
    boolean began = change == Hysteresis.Change.BEGAN;
    long nanos = began ? 0 : now - beganNanos;
    if (began) {
      beganNanos = now;
      episodes.incrementAndGet();
    }
    Reading reading = last.reading();
    return new MemoryEvent.ContainerPressure(
        began,
        reading.group(),
        reading.usedBytes(),
        reading.residentBytes(),
        reading.limitBytes(),
        ledger,
        nanos);
  }

  /** What tasks shall give back, 0 to take a request back, -1 for nothing new. */
  private long shedBytes(Hysteresis.Change change, long askedBytes) {
    if (!refusing) {
      return change == Hysteresis.Change.ENDED ? 0 : -1;
    }
    Reading reading = last.reading();
    // Below the mark, not onto it: onto it would not end the episode.
    return reading.usedBytes() - settings.lowBytes(reading.limitBytes()) + 1 + askedBytes;
  }

  /** The figures of this moment. */
  public GuardStatus status() {
    Sample sample = last;
    if (reader == null || sample == null) {
      Phase phase = reader == null ? Phase.OFF : Phase.WATCHING;
      return new GuardStatus(phase, offReason, "", 0, Reading.NO_LIMIT, -1, episodes.get());
    }
    Reading reading = sample.reading();
    return new GuardStatus(
        refusing ? Phase.REFUSING : Phase.WATCHING,
        "",
        reading.group(),
        reading.usedBytes(),
        reading.limitBytes(),
        reading.residentBytes(),
        episodes.get());
  }

  /**
   * The container's part in a refusal, for its message.
   *
   * @param askedBytes that were refused
   * @return figures and the settings to change, or empty if the container had room for it
   */
  public String explain(long askedBytes) {
    if (reader == null || (!refusing && fits(askedBytes))) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "The container has no room: %s. Raise spark.executor.memoryOverhead, or lower"
            + " spark.executor.memory or spark.memory.offHeap.size.",
        figures());
  }

  private String figures() {
    Sample sample = last;
    Reading reading = sample.reading();
    return String.format(
        Locale.ROOT,
        "%d bytes used of the limit %d of %s (%d resident in this process, %d of native operators),"
            + " growth is refused above %d until below %d",
        reading.usedBytes(),
        reading.limitBytes(),
        reading.group(),
        reading.residentBytes(),
        sample.ledgerBytes(),
        settings.highBytes(reading.limitBytes()),
        settings.lowBytes(reading.limitBytes()));
  }

  /** Ends the thread. Tasks that are still open go on looking themselves. Idempotent. */
  @Override
  public void close() {
    stop.countDown();
    if (thread != null && thread != Thread.currentThread()) {
      try {
        thread.join(JOIN_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
