package io.spillway.operator;

/** A slice's strings would take more than their part of the share: fewer rows are to be loaded. */
final class SliceTooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SliceTooLargeException(long bytes, long limitBytes) {
    // Control flow between an importer and its reader; nobody looks at the stack.
    super(bytes + " bytes of strings, limit " + limitBytes, null, false, false);
  }
}
