package io.github.reslice.checksum;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** CRC64NVME where the AWS Common Runtime is there: it is on the class path of a loader of its own. */
class NativeCrc64NvmeTest {

    private static final int CASES = 60;
    private static final int UPDATES = 2000;
    private static final int MIB = 1024 * 1024;

    private static URLClassLoader withRuntime;

    @BeforeAll
    static void loadTheRuntime() {
        withRuntime = loader(runtime());
    }

    @AfterAll
    static void close() throws IOException {
        withRuntime.close();
    }

    @Test
    void isUsedWhereTheRuntimeIsThere() throws Exception {
        assertThat(run(withRuntime, "used")).isEqualTo("NativeCrc64Nvme");
    }

    @Test
    void isNotUsedInAllOtherTests() {
        assertThat(ChecksumAlgorithm.CRC64NVME.start()).isInstanceOf(Crc64Nvme.class);
    }

    @Test
    void givesTheSameAsPlainJavaHoweverTheBytesAreSlicedAndHeld() throws Exception {
        for (int seed = 0; seed < CASES; seed++) {
            byte[] bytes = random(seed, new Random(seed).nextInt(60_000));
            assertThat(run(withRuntime, "digest", bytes, (long) seed))
                    .as("seed %d, %d bytes", seed, bytes.length)
                    .isEqualTo(plain(bytes));
        }
    }

    // longer than one call may be
    @ParameterizedTest
    @CsvSource({"0, 1048575", "0, 1048576", "1, 1048577", "7, 3145729"})
    void givesTheSameOfALongPiece(int offset, int length) throws Exception {
        byte[] bytes = random(length, 3 * MIB + 10);
        assertThat(run(withRuntime, "digestAtOnce", bytes, offset, length))
                .isEqualTo(plain(Arrays.copyOfRange(bytes, offset, offset + length)));
    }

    @Test
    void combinesToTheValueOfTheWhole() throws Exception {
        byte[] bytes = random(5, 20_000);
        for (int cut : new int[] {0, 1, 9_999, 19_999, 20_000}) {
            assertThat(run(withRuntime, "combined", bytes, cut))
                    .as("cut at %d", cut)
                    .isEqualTo(Base64.getEncoder().encodeToString(plain(bytes)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void allocatesNothingOnceItsScratchIsThere(TestBuffer kind) throws Exception {
        assertThat((long) run(withRuntime, "allocated", kind.name(), UPDATES)).isLessThan(1024);
    }

    @Test
    void givesWayToPlainJavaWhereTheRuntimeHasNoLibraryForTheMachine(@TempDir Path folder) throws Exception {
        Path classesAlone = folder.resolve("aws-crt.jar");
        try (InputStream from = runtime().openStream();
                OutputStream to = Files.newOutputStream(classesAlone)) {
            copyClasses(from, to);
        }
        PrintStream err = System.err;
        System.setErr(
                new PrintStream(OutputStream.nullOutputStream(), false, UTF_8)); // the runtime prints what it misses
        try (URLClassLoader loader = loader(classesAlone.toUri().toURL())) {
            assertThat(loader.loadClass("software.amazon.awssdk.crt.checksums.CRC64NVME"))
                    .isNotNull();
            assertFallsBack(loader);
        } finally {
            System.setErr(err);
        }
    }

    @Test
    void givesWayToPlainJavaWhereTheRuntimesClassIsBroken(@TempDir Path folder) throws Exception {
        Path broken = folder.resolve("software/amazon/awssdk/crt/checksums/CRC64NVME.class");
        Files.createDirectories(broken.getParent());
        Files.write(broken, new byte[] {1, 2, 3});
        try (URLClassLoader loader = loader(folder.toUri().toURL())) {
            assertFallsBack(loader);
        }
    }

    // not of CRC64NVME, but the other library is here
    @ParameterizedTest
    @CsvSource({"XXHASH64, computeXXHash64", "XXHASH3, computeXXHash3_64", "XXHASH128, computeXXHash3_128"})
    void xxHashAgreesWithTheRuntimes(ChecksumAlgorithm algorithm, String method) throws Exception {
        for (int length = 0; length < 2100; length += length < 300 ? 1 : 17) {
            byte[] bytes = random(length, length);
            RunningChecksum checksum = algorithm.start();
            checksum.update(bytes, 0, length);
            assertThat(run(withRuntime, "xxHashOfTheRuntime", method, bytes))
                    .as("%d bytes", length)
                    .isEqualTo(checksum.digest());
        }
    }

    private static void assertFallsBack(ClassLoader loader) throws Exception {
        byte[] bytes = random(1, 5000);
        assertThat(run(loader, "used")).isEqualTo("Crc64Nvme");
        assertThat(run(loader, "digest", bytes, 1L)).isEqualTo(plain(bytes));
    }

    private static byte[] plain(byte[] bytes) {
        RunningChecksum checksum = new Crc64Nvme();
        checksum.update(bytes, 0, bytes.length);
        return checksum.digest();
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static Object run(ClassLoader loader, String method, Object... arguments) throws Exception {
        return Arrays.stream(loader.loadClass(NativeProgram.class.getName()).getMethods())
                .filter(m -> m.getName().equals(method))
                .findFirst()
                .orElseThrow()
                .invoke(null, arguments);
    }

    private static URLClassLoader loader(URL runtime) {
        URL[] classPath = {
            placeOf(NativeProgram.class), placeOf(ChecksumAlgorithm.class), placeOf(NullMarked.class), runtime
        };
        return new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader());
    }

    /** Put there by the build. */
    private static URL runtime() {
        URL jar = NativeCrc64NvmeTest.class.getResource("/aws-crt.jar");
        assertThat(jar).as("aws-crt.jar, from mvn process-test-resources").isNotNull();
        return jar;
    }

    private static void copyClasses(InputStream from, OutputStream to) throws IOException {
        try (JarInputStream all = new JarInputStream(from);
                JarOutputStream classes = new JarOutputStream(to)) {
            for (JarEntry entry = all.getNextJarEntry(); entry != null; entry = all.getNextJarEntry()) {
                if (entry.getName().endsWith(".class")) {
                    classes.putNextEntry(new JarEntry(entry.getName()));
                    all.transferTo(classes);
                }
            }
        }
    }

    private static URL placeOf(Class<?> c) {
        return c.getProtectionDomain().getCodeSource().getLocation();
    }
}
