/** The tables and queries of TPC-H, for comparing and measuring engines. */
package io.spillway.tpch;
