package io.spillway.memory.spill;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.storage.TempLocalBlockId;
import scala.Tuple2;

/**
 * Where spill files lie and how they are stored: Spark's local directories, its compression codec,
 * its encryption. Thread-safe.
 */
public class SpillStore {
  /** Spark picks a directory by the hash of a random name; so many names find every directory. */
  private static final int NAMES_TRIED = 1000;

  private final DiskBlockManager disk;
  private final SerializerManager serializers;

  /**
   * The store of an executor.
   *
   * @param disk knows the local directories
   * @param serializers knows codec and cipher
   */
  public SpillStore(DiskBlockManager disk, SerializerManager serializers) {
    this.disk = disk;
    this.serializers = serializers;
  }

  /**
   * Creates an empty file that only this user can read, in the first local directory that takes it.
   *
   * @param refused directories that are not to be tried; those that fail now are added
   * @return the open file
   * @throws IOException if no directory is left
   */
  final SpillPart create(Set<File> refused) throws IOException {
    IOException failure = null;
    for (int i = 0; i < NAMES_TRIED && refused.size() < disk.localDirs().length; i++) {
      File directory = null;
      try {
        Tuple2<TempLocalBlockId, File> block = disk.createTempLocalBlock();
        directory = localDirectory(block._2());
        if (!refused.contains(directory)) {
          return new SpillPart(block._1(), block._2(), directory, open(block._2()));
        }
      } catch (IOException e) {
        failure = e;
        if (directory != null) {
          refused.add(directory);
        }
      }
    }
    List<File> all = new ArrayList<>(Arrays.asList(disk.localDirs()));
    throw new IOException(
        "no directory of spark.local.dir takes a spill file: "
            + all
            + (failure == null ? "" : "; last failure: " + failure.getMessage()),
        failure);
  }

  /** Opens a new file for reading and writing. Overridden where a test needs a disk that fails. */
  FileChannel open(File file) throws IOException {
    return FileChannel.open(
        file.toPath(),
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  /** Opens a file that is there, for one who only reads. */
  final FileChannel openToRead(File file) throws IOException {
    return FileChannel.open(file.toPath(), StandardOpenOption.READ);
  }

  final OutputStream wrap(BlockId block, OutputStream raw) {
    return serializers.wrapStream(block, raw);
  }

  final InputStream wrap(BlockId block, InputStream raw) {
    return serializers.wrapStream(block, raw);
  }

  /** Local directory, subdirectory, file. */
  private static File localDirectory(File file) {
    return file.getParentFile().getParentFile();
  }
}
