package io.spillway.chaos.internal.dispatch;

/**
 * The hash behind every decision by probability. Its values are part of the plan format: a change
 * makes every recorded run unrepeatable.
 *
 * <p>Each part of the key is folded in and mixed with the finaliser of SplitMix64, so that keys
 * that differ in one small number share nothing. Nothing of a thread, a clock or an id goes in.
 */
final class DecisionHash {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
  private static final long FNV_OFFSET = 0xCBF29CE484222325L;
  private static final long FNV_PRIME = 0x100000001B3L;

  private DecisionHash() {}

  /** The part of the key that all calls of a task attempt share. */
  static long ofAttempt(long seed, String label, int stageOrdinal, int partition, int attempt) {
    long hash = mix(seed + GOLDEN_GAMMA);
    hash = fold(hash, ofText(label));
    hash = fold(hash, stageOrdinal);
    hash = fold(hash, partition);
    return fold(hash, attempt);
  }

  /**
   * The whole key. The rule's number goes in so that two rules of the same point and probability
   * pick different calls; without it the first would always hide the second.
   *
   * @param call index of the call in its attempt and point, from 1
   * @param rule number of the rule in the plan, from 1
   */
  static long ofCall(long attemptHash, long pointHash, long call, int rule) {
    return fold(fold(fold(attemptHash, pointHash), call), rule);
  }

  /** A text's hash: FNV-1a over its UTF-16 units. */
  static long ofText(String text) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return mix(hash);
  }

  /** Maps a hash to [0, 1), evenly, with the 53 bits that a double holds. */
  static double toUnit(long hash) {
    return (hash >>> 11) * 0x1.0p-53;
  }

  private static long fold(long hash, long part) {
    return mix((hash ^ mix(part + GOLDEN_GAMMA)) + GOLDEN_GAMMA);
  }

  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
