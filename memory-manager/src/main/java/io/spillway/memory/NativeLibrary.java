package io.spillway.memory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Loads a C library that travels in the jar, under {@code io/spillway/native/<os>-<arch>/}.
 *
 * <p>The library is unpacked into a directory that only this user can enter and whose name cannot
 * be guessed, loaded, and removed at once: Linux keeps a mapped file alive, so nothing stays behind
 * even when the process is killed.
 */
public final class NativeLibrary {
  private static final Set<String> LOADED = new HashSet<>();

  private NativeLibrary() {}

  /**
   * Loads {@code lib<libraryName>.so}, once per class loader. The caller checks the ABI version.
   *
   * @param libraryName such as {@code spillway_kernels}
   * @param owner class that declares the native methods; it must have this class's loader, because
   *     the JVM looks native methods up in the libraries of their class's loader
   * @throws NativeUnavailableException if there is none for this platform or it cannot be loaded
   */
  public static void load(String libraryName, Class<?> owner) {
    if (owner.getClassLoader() != NativeLibrary.class.getClassLoader()) {
      throw new NativeUnavailableException(
          "library "
              + libraryName
              + " cannot serve "
              + owner.getName()
              + ": that class was loaded by "
              + owner.getClassLoader()
              + ", NativeLibrary by "
              + NativeLibrary.class.getClassLoader());
    }
    synchronized (LOADED) {
      if (!LOADED.contains(libraryName)) {
        unpackAndLoad(libraryName, owner);
        LOADED.add(libraryName);
      }
    }
  }

  /** The platform of this JVM as it stands in the jar's folder names, such as linux-x86_64. */
  static String platform() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String osName = os.startsWith("mac") ? "darwin" : os.split(" ", 2)[0];
    return osName
        + "-"
        + switch (arch) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "aarch64";
          default -> arch;
        };
  }

  private static void unpackAndLoad(String libraryName, Class<?> owner) {
    String resource = "/io/spillway/native/" + platform() + "/lib" + libraryName + ".so";
    Path directory = null;
    Path file = null;
    try (InputStream in = owner.getResourceAsStream(resource)) {
      if (in == null) {
        throw new NativeUnavailableException(
            "no native library for " + platform() + ": the jar has no " + resource);
      }
      directory =
          Files.createTempDirectory(
              "spillway-",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      file = directory.resolve("lib" + libraryName + ".so");
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      System.load(file.toString());
    } catch (IOException | UnsupportedOperationException | UnsatisfiedLinkError e) {
      throw new NativeUnavailableException(
          "native library "
              + libraryName
              + " cannot be unpacked and loaded in java.io.tmpdir="
              + System.getProperty("java.io.tmpdir")
              + " (which must be writable and not mounted noexec): "
              + e.getMessage(),
          e);
    } finally {
      deleteQuietly(file);
      deleteQuietly(directory);
    }
  }

  private static void deleteQuietly(Path path) {
    if (path != null) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        path.toFile().deleteOnExit();
      }
    }
  }
}
