package io.spillway.operator;

import io.spillway.memory.OperatorMemory;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataType;

/** What all passes of one join in one task share. Its memory is the operator's. */
final class JoinFrame {
  private final OperatorContext context;
  private final JoinSpec spec;
  private final RowLayout buildLayout;
  private final RowLayout probeLayout;
  private final List<DataType> probeTypes;
  private final List<DataType> buildTypes;
  private final int maxRows;
  private final JoinProbe probe;
  private final JoinOutput output;
  private final StoredRows storedBuilds;
  private final StoredRows storedProbes;

  /**
   * @param leftTypes of the left child's columns
   * @param rightTypes of the right child's
   * @param outputTypes null if a table is only filled: nothing is looked up then, and nothing comes
   *     out
   */
  JoinFrame(
      OperatorContext context,
      JoinSpec spec,
      List<DataType> leftTypes,
      List<DataType> rightTypes,
      List<DataType> outputTypes,
      int maxRows) {
    this.context = context;
    this.spec = spec;
    this.maxRows = maxRows;
    this.probeTypes = spec.buildLeft() ? rightTypes : leftTypes;
    this.buildTypes = spec.buildLeft() ? leftTypes : rightTypes;
    int[] builds = spec.rowTypes();
    int[] probes = ProbeSpill.rowTypes(spec);
    Arena at =
        new Arena(
            memory()
                .allocate(RowLayout.bytes(builds.length) + RowLayout.bytes(probes.length) + 32)
                .address());
    buildLayout = new RowLayout(builds, at.take(RowLayout.bytes(builds.length)));
    probeLayout = new RowLayout(probes, at.take(RowLayout.bytes(probes.length)));
    probe = outputTypes == null ? null : new JoinProbe(this);
    output = outputTypes == null ? null : new JoinOutput(this, outputTypes);
    storedBuilds = stored(buildLayout);
    storedProbes = stored(probeLayout);
  }

  private StoredRows stored(RowLayout layout) {
    int[] all = IntStream.range(0, layout.columns()).toArray();
    return new StoredRows(memory(), () -> new RowGather(memory(), layout, all, maxRows), maxRows);
  }

  OperatorContext context() {
    return context;
  }

  OperatorMemory memory() {
    return context.memory();
  }

  JoinSpec spec() {
    return spec;
  }

  /** Of stored build rows. */
  RowLayout buildLayout() {
    return buildLayout;
  }

  /** Of stored probe rows. */
  RowLayout probeLayout() {
    return probeLayout;
  }

  /** The most rows of a slice, of a batch of pairs, and of what comes out. */
  int maxRows() {
    return maxRows;
  }

  /** The type of a column among the probe child's and then the build child's. */
  DataType columnType(int ordinal) {
    return ordinal < probeTypes.size()
        ? probeTypes.get(ordinal)
        : buildTypes.get(ordinal - probeTypes.size());
  }

  JoinProbe probe() {
    return probe;
  }

  JoinOutput output() {
    return output;
  }

  /** The build rows that a reader reads, of which they become the owner. */
  BuildRows builds(PageReader pages) {
    return new BuildPages(storedBuilds.over(pages));
  }

  /** The probe rows that a reader reads, of which they become the owner. */
  ProbeRows probes(PageReader pages) {
    return new ProbePages(storedProbes.over(pages), probeTypes);
  }

  /** Closes what {@link #builds} and {@link #probes} opened last. */
  void closeStored() {
    storedBuilds.close();
    storedProbes.close();
  }
}
