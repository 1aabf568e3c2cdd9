package io.github.reslice;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import io.github.reslice.stage.Stage;
import java.security.MessageDigest;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Imports run one way: faces and integrations, then awschunked, then stage, checksum and sigv4. */
class ArchitectureTest {

    private static final String ROOT = "io.github.reslice";

    private static final List<String> PARTS =
            List.of("faces", "awschunked", "stage", "checksum", "sigv4", "spring", "netty", "awssdk", "s3");

    /** Parts whose first class is still to be written. The rules of all others fail when they find no class. */
    private static final Set<String> TO_COME = Set.of("s3");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(Stage.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void importsRunOneWay() {
        LayeredArchitecture layers = layeredArchitecture().consideringOnlyDependenciesInLayers();
        for (String part : PARTS) {
            layers = TO_COME.contains(part)
                    ? layers.optionalLayer(part).definedBy(packagesOf(part))
                    : layers.layer(part).definedBy(packagesOf(part));
        }
        String[] below = {"awschunked", "stage", "checksum", "sigv4"};
        String[] andFaces = {"faces", "awschunked", "stage", "checksum", "sigv4"};

        layers.ensureAllClassesAreContainedInArchitecture()
                .whereLayer("stage")
                .mayNotAccessAnyLayer()
                .whereLayer("checksum")
                .mayNotAccessAnyLayer()
                .whereLayer("sigv4")
                .mayNotAccessAnyLayer()
                .whereLayer("awschunked")
                .mayOnlyAccessLayers("stage", "checksum", "sigv4")
                .whereLayer("faces")
                .mayOnlyAccessLayers(below)
                .whereLayer("spring")
                .mayOnlyAccessLayers(andFaces)
                .whereLayer("netty")
                .mayOnlyAccessLayers(andFaces)
                .whereLayer("awssdk")
                .mayOnlyAccessLayers(andFaces)
                .whereLayer("s3")
                .mayOnlyAccessLayers(andFaces)
                .check(CLASSES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"awschunked", "checksum", "sigv4"})
    void knowsNoReactiveType(String part) {
        noClasses()
                .that()
                .resideInAPackage(packagesOf(part))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("reactor..", "org.reactivestreams..")
                .allowEmptyShould(TO_COME.contains(part))
                .check(CLASSES);
    }

    @Test
    void onlySpringsPackageImportsSpring() {
        noClasses()
                .that()
                .resideOutsideOfPackage(packagesOf("spring"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework..")
                .check(CLASSES);
    }

    @Test
    void onlyTheSdksPackagesImportTheSdk() {
        noClasses()
                .that()
                .resideOutsideOfPackages(packagesOf("awssdk"), packagesOf("s3"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("software.amazon..")
                .check(CLASSES);
    }

    @Test
    void oneClassAloneImportsTheLibraryOfXxHash() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(ROOT + ".checksum.XxHash")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.dynatrace..")
                .check(CLASSES);
    }

    @Test
    void besidesNettysPackageOneClassOfSpringsMayImportNetty() {
        Set<JavaClass> importers = CLASSES.stream()
                .filter(c -> !isIn("netty", c))
                .filter(ArchitectureTest::importsNetty)
                .map(ArchitectureTest::outermost)
                .collect(toSet());

        assertThat(importers).hasSizeLessThanOrEqualTo(1).allMatch(c -> isIn("spring", c));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Checksums", "awschunked.Checks", "sigv4.ChunkSignatures", "sigv4.PresentedSignature"})
    void comparesInATimeThatDoesNotTellWhereTheyDiffer(String name) {
        classes()
                .that()
                .haveFullyQualifiedName(ROOT + "." + name)
                .should()
                .callMethod(MessageDigest.class, "isEqual", byte[].class, byte[].class)
                .check(CLASSES);
    }

    @Test
    void whatIsToComeIsNotThereYet() {
        List<String> there = TO_COME.stream()
                .filter(part -> CLASSES.stream().anyMatch(c -> isIn(part, c)))
                .toList();

        assertThat(there)
                .as("has classes now: take it out of TO_COME, so that its rules bind")
                .isEmpty();
    }

    private static String packagesOf(String part) {
        return part.equals("faces") ? ROOT : ROOT + "." + part + "..";
    }

    private static boolean isIn(String part, JavaClass c) {
        return JavaClass.Predicates.resideInAPackage(packagesOf(part)).test(c);
    }

    private static boolean importsNetty(JavaClass c) {
        return c.getDirectDependenciesFromSelf().stream()
                .anyMatch(d -> d.getTargetClass().getPackageName().startsWith("io.netty."));
    }

    private static JavaClass outermost(JavaClass c) {
        return c.getEnclosingClass().map(ArchitectureTest::outermost).orElse(c);
    }
}
