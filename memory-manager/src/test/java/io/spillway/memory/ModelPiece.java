package io.spillway.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.vector.IntVector;
import org.apache.spark.unsafe.Platform;

/**
 * A piece of native memory as the model knows it: who is charged in the ledger, whose allocator
 * Arrow counts it in, how much it is, and what was written into it.
 */
abstract class ModelPiece {
  /** Charged in the ledger. */
  protected ModelOperator owner;

  /** Counts it in Arrow's books; another one than the owner after a transfer of Arrow's own. */
  protected ModelOperator counted;

  ModelPiece(ModelOperator owner) {
    this.owner = owner;
    this.counted = owner;
  }

  abstract long bytes();

  abstract int blocks();

  /** Its content is as it was written. */
  abstract void verify();

  abstract void release();

  /** Whether the operator's end ends it in Arrow's books too, because it has its handle. */
  boolean isHandle() {
    return false;
  }

  static final class Block extends ModelPiece {
    private final long tag;
    private NativeBlock block;

    Block(ModelOperator owner, NativeBlock block, long tag) {
      super(owner);
      this.block = block;
      this.tag = tag;
      mark(block.address(), block.size(), tag);
    }

    @Override
    long bytes() {
      return block.size();
    }

    @Override
    int blocks() {
      return 1;
    }

    @Override
    boolean isHandle() {
      return true;
    }

    @Override
    void verify() {
      verifyMark(block.address(), block.size(), tag);
      assertLedgered(block.address(), block.size(), owner);
    }

    @Override
    void release() {
      block.close();
      block.close();
      assertThatThrownBy(block::address).isInstanceOf(IllegalStateException.class);
    }

    void adoptedBy(ModelOperator target) {
      NativeBlock old = block;
      block = target.memory().adopt(old);
      owner = target;
      counted = target;
      old.close();
      assertThatThrownBy(() -> target.memory().adopt(old))
          .isInstanceOf(IllegalStateException.class);
    }

    NativeBlock handle() {
      return block;
    }
  }

  static final class Buffer extends ModelPiece {
    private final long tag;
    private final long bytes;
    private final BufferAllocator child;
    private ArrowBuf buffer;

    Buffer(ModelOperator owner, ArrowBuf buffer, BufferAllocator child, long tag) {
      super(owner);
      this.buffer = buffer;
      this.child = child;
      this.tag = tag;
      this.bytes = buffer.getReferenceManager().getSize();
      mark(buffer.memoryAddress(), bytes, tag);
    }

    @Override
    long bytes() {
      return bytes;
    }

    @Override
    int blocks() {
      return 1;
    }

    @Override
    void verify() {
      verifyMark(buffer.memoryAddress(), bytes, tag);
      assertLedgered(buffer.memoryAddress(), bytes, owner);
    }

    @Override
    void release() {
      buffer.getReferenceManager().release();
      if (child != null) {
        child.close();
      }
    }

    /** Arrow's own transfer, which tells nobody. */
    void transferTo(ModelOperator target) {
      ArrowBuf old = buffer;
      buffer =
          old.getReferenceManager()
              .transferOwnership(old, target.memory().allocator())
              .getTransferredBuffer();
      old.getReferenceManager().release();
      counted = target;
    }
  }

  static final class Vector extends ModelPiece {
    private final IntVector vector;
    private int filled;

    Vector(ModelOperator owner) {
      super(owner);
      vector = new IntVector("model", owner.memory().allocator());
    }

    /** May be refused in the middle; what it has had stays. */
    void grow(int rows) {
      for (int i = 0; i < rows; i++) {
        vector.setSafe(filled, filled);
        filled++;
      }
    }

    private Set<ReferenceManager> managers() {
      Set<ReferenceManager> managers = Collections.newSetFromMap(new IdentityHashMap<>());
      for (ArrowBuf buffer : new ArrowBuf[] {vector.getValidityBuffer(), vector.getDataBuffer()}) {
        if (buffer.getReferenceManager() != ReferenceManager.NO_OP) {
          managers.add(buffer.getReferenceManager());
        }
      }
      return managers;
    }

    @Override
    long bytes() {
      return managers().stream().mapToLong(ReferenceManager::getSize).sum();
    }

    @Override
    int blocks() {
      return managers().size();
    }

    @Override
    void verify() {
      for (int i = 0; i < filled; i += 97) {
        assertThat(vector.get(i)).isEqualTo(i);
      }
    }

    @Override
    void release() {
      vector.close();
    }
  }

  private static void mark(long address, long bytes, long tag) {
    Platform.putLong(null, address, tag);
    Platform.putLong(null, address + bytes - Long.BYTES, ~tag);
  }

  private static void verifyMark(long address, long bytes, long tag) {
    assertThat(Platform.getLong(null, address)).as("its first bytes").isEqualTo(tag);
    assertThat(Platform.getLong(null, address + bytes - Long.BYTES))
        .as("its last bytes")
        .isEqualTo(~tag);
  }

  private static void assertLedgered(long address, long bytes, ModelOperator owner) {
    LedgeredBlock entry = owner.ledger().at(address);
    assertThat(entry).as("its entry in the ledger").isNotNull();
    assertThat(entry.bytes()).isEqualTo(bytes);
    assertThat(entry.owner()).isSameAs(owner.memory());
  }
}
