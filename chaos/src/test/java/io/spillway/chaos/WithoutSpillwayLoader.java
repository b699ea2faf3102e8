package io.spillway.chaos;

import java.net.URL;

/** Hides the stand-ins of this module's tests, as on a cluster without Spillway. */
final class WithoutSpillwayLoader extends ClassLoader {
  WithoutSpillwayLoader(ClassLoader parent) {
    super(parent);
  }

  @Override
  public URL getResource(String name) {
    return name.startsWith("io/spillway/memory/") ? null : super.getResource(name);
  }
}
