/** Charts of what was measured. */
package io.github.reslice.benchmarks.charts;
