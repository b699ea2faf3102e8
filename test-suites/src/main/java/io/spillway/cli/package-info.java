/** The command line beside the drill: what an engineer does with the chaos agent by hand. */
package io.spillway.cli;
