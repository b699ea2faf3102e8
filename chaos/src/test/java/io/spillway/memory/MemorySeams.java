package io.spillway.memory;

/** Lets tests of another package through the stand-in that is not public. */
public final class MemorySeams {
  private MemorySeams() {}

  /** Makes a ledger's entry; answers its owner's name. */
  public static String register(String operator) {
    return new LedgeredBlock(new OperatorMemory(operator), 4096, 64, null).owner().name();
  }
}
