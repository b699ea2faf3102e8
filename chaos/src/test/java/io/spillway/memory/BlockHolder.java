package io.spillway.memory;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
interface BlockHolder {
  /** The operator's name. */
  String name();
}
