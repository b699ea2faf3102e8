package io.spillway.memory.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the memory control groups that a process is in: from its own group up to the root of what
 * is mounted, in that order.
 */
final class GroupLocator {
  /**
   * Where they are.
   *
   * @param files of this version
   * @param groups directories, the process's own first; at least one
   */
  record Located(GroupFiles files, List<Path> groups) {}

  /**
   * One mounted hierarchy.
   *
   * @param root which of its groups is seen at the mount point
   * @param point where it is mounted
   */
  private record Mount(String root, Path point) {}

  private GroupLocator() {}

  /**
   * Finds them.
   *
   * @param process its directory in {@code /proc}
   * @return the groups
   * @throws NoContainerException if it is in none, or none is mounted
   * @throws IOException if its files cannot be read
   */
  static Located locate(Path process) throws IOException, NoContainerException {
    String unified = null;
    String memory = null;
    for (String line : Files.readAllLines(process.resolve("cgroup"))) {
      // hierarchy:controllers:path, the path may hold further colons
      String[] fields = line.split(":", 3);
      if (fields.length == 3 && fields[1].isEmpty()) {
        unified = fields[2];
      } else if (fields.length == 3 && hasMemory(fields[1])) {
        memory = fields[2];
      }
    }
    // A system may mount both versions: memory belongs to version 1 if it is among its controllers.
    if (memory != null) {
      return located(process, GroupFiles.V1, memory);
    }
    if (unified != null) {
      return located(process, GroupFiles.V2, unified);
    }
    throw new NoContainerException("this process is in no memory control group");
  }

  private static Located located(Path process, GroupFiles files, String path)
      throws IOException, NoContainerException {
    Mount mount = mount(process, files);
    Path own = mount.point().resolve(below(mount.root(), path)).normalize();
    if (!own.startsWith(mount.point()) || !Files.isDirectory(own)) {
      // A container that sees the group's path on its host, and its own group at the mount point.
      own = mount.point();
    }
    List<Path> groups = new ArrayList<>();
    groups.add(own);
    Path parent = own;
    while (!parent.equals(mount.point())) {
      parent = parent.getParent();
      if (!files.countsGroupsBelow(parent)) {
        break;
      }
      groups.add(parent);
    }
    return new Located(files, List.copyOf(groups));
  }

  private static Mount mount(Path process, GroupFiles files)
      throws IOException, NoContainerException {
    String type = files == GroupFiles.V1 ? "cgroup" : "cgroup2";
    for (String line : Files.readAllLines(process.resolve("mountinfo"))) {
      // id parent device root point options [more...] - type source options
      int separator = line.indexOf(" - ");
      String[] left = line.substring(0, Math.max(0, separator)).split(" ", -1);
      String[] right = line.substring(separator < 0 ? 0 : separator + 3).split(" ", -1);
      if (left.length >= 6
          && right.length >= 3
          && right[0].equals(type)
          && (files == GroupFiles.V2 || hasMemory(right[2]))) {
        return new Mount(unescaped(left[3]), Path.of(unescaped(left[4])));
      }
    }
    throw new NoContainerException("no memory control groups are mounted (" + type + ")");
  }

  /** The path as seen from the mount point, relative; empty if it is not below it. */
  private static String below(String root, String path) {
    String prefix = root.equals("/") ? "" : root;
    if (path.equals(prefix) || path.startsWith(prefix + "/")) {
      return path.substring(prefix.length()).replaceFirst("^/+", "");
    }
    return "";
  }

  private static boolean hasMemory(String commaList) {
    return Arrays.asList(commaList.split(",", -1)).contains("memory");
  }

  private static String unescaped(String field) {
    return field
        .replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }
}
