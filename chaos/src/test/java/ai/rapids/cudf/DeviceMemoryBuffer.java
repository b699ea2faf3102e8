package ai.rapids.cudf;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
public record DeviceMemoryBuffer(long bytes) {}
