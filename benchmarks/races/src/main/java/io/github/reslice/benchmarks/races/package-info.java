/** jcstress over the operator that carries a stage: signals that meet on two threads, millions of times. */
package io.github.reslice.benchmarks.races;
