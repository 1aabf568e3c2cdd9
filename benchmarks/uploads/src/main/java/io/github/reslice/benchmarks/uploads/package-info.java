/** Uploads over loopback to a server that throws them away, by several clients, side by side. */
package io.github.reslice.benchmarks.uploads;
