/** Counts the objects that one upload allocates. */
package io.github.reslice.benchmarks.objects;
