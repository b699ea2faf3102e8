package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.Fault;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Damages the bytes of spill files. What is to be written is chosen where a frame is written and
 * damaged where its bytes go to the disk, below codec and cipher: until then the damage waits with
 * the stream that it is for. Any thread.
 */
final class SpillDamage {
  /** By stream. Weak: an abandoned segment's stream may never write again. */
  private static final Map<Object, Fault.Damage> WAITING =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** False as long as there was never any damage, so that writing costs one read of a field. */
  private static volatile boolean used;

  private SpillDamage() {}

  /** The next bytes that go down this stream are to be damaged. */
  static void await(Object stream, Fault.Damage damage) {
    used = true;
    WAITING.put(stream, damage);
  }

  /** Forgets what has not come to pass. */
  static void forget() {
    WAITING.clear();
  }

  /** The bytes to store: the given ones, or a copy of which one is damaged. */
  static byte[] storedBytes(Object stream, byte[] bytes, int offset, int length) {
    if (!used || length == 0 || !take(stream, new Fault.FlippedByte())) {
      return bytes;
    }
    // A copy, because the array is the codec's own.
    byte[] damaged = bytes.clone();
    flip(damaged, offset, length);
    return damaged;
  }

  /** How many of the bytes to store. */
  static int storedLength(Object stream, int length) {
    return used && length > 0 && take(stream, new Fault.ShortWrite()) ? length / 2 : length;
  }

  /** Turns the first one of some bytes over: where codecs have what they rely on. */
  static void flip(byte[] bytes, int offset, int length) {
    if (length > 0) {
      bytes[offset] ^= (byte) 0xff;
    }
  }

  private static boolean take(Object stream, Fault.Damage damage) {
    return WAITING.remove(stream, damage);
  }
}
