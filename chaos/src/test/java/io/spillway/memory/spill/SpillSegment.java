package io.spillway.memory.spill;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
public record SpillSegment(int frames) {}
