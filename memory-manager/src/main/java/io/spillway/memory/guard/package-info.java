/**
 * The executor's container: how much memory it may hold, how much it holds, and what is done before
 * the kernel kills it.
 */
package io.spillway.memory.guard;
