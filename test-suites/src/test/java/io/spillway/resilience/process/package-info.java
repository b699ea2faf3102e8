/**
 * A job for real processes, in a jar of its own: whoever runs it gives this package to {@code
 * spark-submit}, with the plugin's jar beside it.
 */
package io.spillway.resilience.process;
