package io.spillway.operator;

import io.spillway.expression.Program;
import io.spillway.kernel.Abi;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;

/**
 * What a native hash join does. One side, the build side, is kept in a table; the rows of the
 * other, the probe side, are looked up in it. Immutable; made on the driver by {@code
 * JoinCompiler}, serialised to executors. Callers must not change the arrays that they get.
 *
 * <p>A stored build row has the columns: the keys, the link of its chain, then the payload.
 */
public final class JoinSpec implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Which rows come out. */
  public enum Kind {
    /** Matching pairs. */
    INNER,
    /** Matching pairs, and probe rows without a match beside nulls. */
    PROBE_OUTER,
    /** Matching pairs, and build rows without a match beside nulls. */
    BUILD_OUTER,
    /** Matching pairs, and the rows of both sides without a match beside nulls. */
    FULL_OUTER,
    /** Probe rows with a match, once each. */
    SEMI,
    /** Probe rows without a match. */
    ANTI,
    /**
     * Probe rows whose key is not among the build rows' as SQL's {@code NOT IN} has it: none if a
     * build row's key is null, all if there is no build row, else those with a key and no match.
     */
    NULL_AWARE_ANTI,
    /** All probe rows, once each, and whether they have a match. */
    EXISTENCE;

    /** Whether columns of both sides come out. */
    public boolean emitsPairs() {
      return this == INNER || keepsProbe() || keepsBuild();
    }

    /** Whether probe rows without a match come out beside nulls. */
    boolean keepsProbe() {
      return this == PROBE_OUTER || this == FULL_OUTER;
    }

    /** Whether build rows without a match come out beside nulls. */
    boolean keepsBuild() {
      return this == BUILD_OUTER || this == FULL_OUTER;
    }
  }

  private final Kind kind;
  private final boolean buildLeft;
  private final Program buildKeys;
  private final Program probeKeys;
  private final int[] buildTypes;
  private final int[] probeTypes;
  private final int[] payload;
  private final Program condition;

  /**
   * @param buildLeft whether the left child is the build side
   * @param buildKeys compiled over the build child's output: one output a key
   * @param probeKeys the same over the probe child's
   * @param buildTypes kernel types of the build child's columns
   * @param probeTypes kernel types of the probe child's columns
   * @param payload which of the build child's columns are stored beside the keys
   * @param condition over the probe child's columns and then the build child's: one boolean; null
   *     if there is none
   */
  public JoinSpec(
      Kind kind,
      boolean buildLeft,
      Program buildKeys,
      Program probeKeys,
      int[] buildTypes,
      int[] probeTypes,
      int[] payload,
      Program condition) {
    this.kind = kind;
    this.buildLeft = buildLeft;
    this.buildKeys = buildKeys;
    this.probeKeys = probeKeys;
    this.buildTypes = buildTypes;
    this.probeTypes = probeTypes;
    this.payload = payload;
    this.condition = condition;
  }

  /** The same join, an anti join without a condition, where a null may equal any key. */
  public JoinSpec nullAware() {
    if (kind != Kind.ANTI || condition != null) {
      throw new IllegalStateException(this + " is not an anti join by keys alone");
    }
    return new JoinSpec(
        Kind.NULL_AWARE_ANTI,
        buildLeft,
        buildKeys,
        probeKeys,
        buildTypes,
        probeTypes,
        payload,
        null);
  }

  /** Which rows come out. */
  public Kind kind() {
    return kind;
  }

  /** Whether the left child is the build side. */
  public boolean buildLeft() {
    return buildLeft;
  }

  Program buildKeys() {
    return buildKeys;
  }

  Program probeKeys() {
    return probeKeys;
  }

  int[] buildTypes() {
    return buildTypes;
  }

  int[] probeTypes() {
    return probeTypes;
  }

  int[] payload() {
    return payload;
  }

  /** The residual condition, over probe columns then build columns; null if there is none. */
  Program condition() {
    return condition;
  }

  int keys() {
    return buildKeys.outputTypes().length;
  }

  /** The number of the link among the columns of a stored build row. */
  int linkColumn() {
    return keys();
  }

  /** Kernel types of the columns of a stored build row. */
  int[] rowTypes() {
    int[] types = Arrays.copyOf(buildKeys.outputTypes(), keys() + 1 + payload.length);
    types[linkColumn()] = Abi.T_I64;
    for (int i = 0; i < payload.length; i++) {
      types[keys() + 1 + i] = buildTypes[payload[i]];
    }
    return types;
  }

  /**
   * The number of a build child's column among those of a stored build row: the payload, or a key
   * that is nothing but that column.
   *
   * @throws IllegalArgumentException if it is not stored
   */
  int rowColumn(int buildColumn) {
    for (int i = 0; i < payload.length; i++) {
      if (payload[i] == buildColumn) {
        return keys() + 1 + i;
      }
    }
    for (int i = 0; i < keys(); i++) {
      if (buildKeys.passThrough()[i] == buildColumn) {
        return i;
      }
    }
    throw new IllegalArgumentException("column " + buildColumn + " of the build side is not kept");
  }

  /**
   * Whether another join keeps the same of the same build rows, so that one table does for both.
   */
  boolean keepsSameBuildRows(JoinSpec that) {
    return buildKeys.equals(that.buildKeys)
        && Arrays.equals(buildTypes, that.buildTypes)
        && Arrays.equals(payload, that.payload);
  }

  /** Two specifications are equal if they do the same over equal children. */
  @Override
  public boolean equals(Object other) {
    return other instanceof JoinSpec that
        && kind == that.kind
        && buildLeft == that.buildLeft
        && buildKeys.equals(that.buildKeys)
        && probeKeys.equals(that.probeKeys)
        && Arrays.equals(buildTypes, that.buildTypes)
        && Arrays.equals(probeTypes, that.probeTypes)
        && Arrays.equals(payload, that.payload)
        && Objects.equals(condition, that.condition);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, buildLeft, buildKeys, probeKeys, condition);
  }

  @Override
  public String toString() {
    return "JoinSpec[" + kind + ", builds " + (buildLeft ? "left" : "right") + "]";
  }
}
