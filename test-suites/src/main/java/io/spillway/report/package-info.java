/**
 * The report of a run with the chaos agent in it: reads what the agents wrote, puts it together,
 * judges it, and shows it. Knows nothing of the drill.
 */
package io.spillway.report;
