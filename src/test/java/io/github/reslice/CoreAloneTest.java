package io.github.reslice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reslice.stage.Stage;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;

/** The core runs where there is nothing but Reactor and JSpecify. */
class CoreAloneTest {

    /** Packages that are loaded only by those who have what they meet. */
    private static final List<String> INTEGRATIONS = List.of("spring", "netty", "awssdk", "s3");

    /** Loaded only with the optional library that it names. */
    private static final List<String> OPTIONAL = List.of("io.github.reslice.checksum.XxHash");

    @Test
    void runsAProgram() throws Exception {
        try (URLClassLoader alone = alone()) {
            Object output = alone.loadClass(CoreProgram.class.getName())
                    .getMethod("run")
                    .invoke(null);

            assertThat(output).isEqualTo(CoreProgram.run());
        }
    }

    @Test
    void loadsEveryClassOfTheCore() throws Exception {
        List<String> names = coreClasses();
        assertThat(names).contains(Stage.class.getName());

        try (URLClassLoader alone = alone()) {
            for (String name : names) {
                assertThatCode(() -> load(name, alone)).as(name).doesNotThrowAnyException();
            }
            for (String name : OPTIONAL) {
                assertThatThrownBy(() -> load(name, alone)).as(name).isInstanceOf(NoClassDefFoundError.class);
            }
        }
    }

    @Test
    void saysWhatToAddWhereAChecksumsLibraryIsMissing() throws Exception {
        try (URLClassLoader alone = alone()) {
            List<?> refusals = (List<?>) alone.loadClass(CoreProgram.class.getName())
                    .getMethod("refusals")
                    .invoke(null);

            assertThat(refusals)
                    .hasSize(6)
                    .allMatch(refusal ->
                            refusal.equals("XXHASH3 checksums are computed by hash4j, which is not on the class"
                                    + " path: add com.dynatrace.hash4j:hash4j:0.31.0"));
        }
    }

    @Test
    void sendsAKnownValueWithoutTheChecksumsLibrary() throws Exception {
        try (URLClassLoader alone = alone()) {
            Object wire = alone.loadClass(CoreProgram.class.getName())
                    .getMethod("knownValueOfTheMissing")
                    .invoke(null);

            assertThat((String) wire).endsWith("x-amz-checksum-xxhash3:1Eex6kDmmIs=\r\n\r\n");
        }
    }

    @Test
    void nothingElseIsThere() throws Exception {
        try (URLClassLoader alone = alone()) {
            for (Class<?> other : List.of(WebClient.class, Assertions.class, Test.class)) {
                assertThatThrownBy(() -> alone.loadClass(other.getName())).isInstanceOf(ClassNotFoundException.class);
            }
        }
    }

    private static List<?> load(String name, ClassLoader loader) throws ClassNotFoundException {
        Class<?> loaded = Class.forName(name, true, loader);
        return List.of(loaded.getDeclaredMethods(), loaded.getDeclaredFields()); // loads the types that they name
    }

    private static URLClassLoader alone() {
        URL[] classPath = {
            placeOf(CoreProgram.class), // this project's test classes
            placeOf(Stage.class),
            placeOf(Flux.class),
            placeOf(Publisher.class),
            placeOf(NullMarked.class)
        };
        return new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader());
    }

    private static List<String> coreClasses() throws IOException, URISyntaxException {
        Path root = Path.of(placeOf(Stage.class).toURI());
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.endsWith(".class"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> !OPTIONAL.contains(name))
                    .filter(name ->
                            INTEGRATIONS.stream().noneMatch(i -> name.startsWith("io.github.reslice." + i + ".")))
                    .toList();
        }
    }

    private static URL placeOf(Class<?> c) {
        return c.getProtectionDomain().getCodeSource().getLocation();
    }
}
