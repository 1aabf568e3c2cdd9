package io.github.reslice.benchmarks.objects;
final class UploadCount { static void print(int size, int buffers) {} }
