package io.github.reslice.checksum;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksumAlgorithmTest {

    @ParameterizedTest
    @CsvSource({
        "CRC32, DUoRhQ==",
        "CRC32C, yZRlqg==",
        "CRC64NVME, jSnVw/bqjr4=",
        "SHA1, Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
        "SHA256, uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=",
        "SHA512, MJ7MSJwS1utMxA9QyQLytNDtd+5RGnx6m808qG1M2G+YndNbxf9JlnDaNCVbRbDP2DDoH2Bdz33FVC6TrpzXbw==",
        "MD5, XrY7u+Ae7tCTyyK7j1rNww==",
        "XXHASH64, RatnNLIeaWg=",
        "XXHASH3, 1Eex6kDmmIs=",
        "XXHASH128, 340J6T+HSQCpm4d1zBW2xw=="
    })
    void givesTheValueThatBotocoreExpectsOfHelloWorld(ChecksumAlgorithm algorithm, String value) {
        assertThat(base64(algorithm, "hello world".getBytes(US_ASCII))).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({"CRC32, cbf43926", "CRC32C, e3069283", "CRC64NVME, ae8b14860a799888"})
    void givesTheCheckValueOfTheNineDigits(ChecksumAlgorithm algorithm, String hex) {
        RunningChecksum checksum = algorithm.start();
        checksum.update("123456789".getBytes(US_ASCII), 0, 9);
        assertThat(HexFormat.of().formatHex(checksum.digest())).isEqualTo(hex);
    }

    @ParameterizedTest
    @CsvSource({"CRC32, sK4Y7A==", "CRC32C, sOO8/Q==", "CRC64NVME, pRf+emrnL+A="})
    void givesTheValueOfTheReferencesExampleBody(ChecksumAlgorithm algorithm, String value) {
        byte[] bytes = new byte[66560];
        Arrays.fill(bytes, (byte) 'a');
        assertThat(base64(algorithm, bytes)).isEqualTo(value);
    }

    // the examples of the NVM Express NVM Command Set Specification, 64b CRC
    @Test
    void givesTheValuesOfTheNvmExpressSpecification() {
        byte[] bytes = new byte[4096];
        assertThat(crc64(bytes)).isEqualTo("6482d367eb22b64e");
        Arrays.fill(bytes, (byte) 0xff);
        assertThat(crc64(bytes)).isEqualTo("c0ddba7302eca3ac");
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        assertThat(crc64(bytes)).isEqualTo("3e729f5f6750449c");
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ~i;
        }
        assertThat(crc64(bytes)).isEqualTo("9a2df64b8e9e517e");
    }

    @ParameterizedTest
    @CsvSource({
        "CRC32, AAAAAA==",
        "CRC32C, AAAAAA==",
        "CRC64NVME, AAAAAAAAAAA=",
        "SHA1, 2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
        "SHA256, 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "MD5, 1B2M2Y8AsgTpgAmY7PhCfg==",
        "XXHASH64, 70bbN1HY6Zk=",
        "XXHASH3, LQaABTjTlMI=",
        "XXHASH128, maoG0wFHmNhgAcMkRo1Jfw=="
    })
    void givesTheValueOfNothing(ChecksumAlgorithm algorithm, String value) {
        assertThat(algorithm.start().base64()).isEqualTo(value);
    }

    @ParameterizedTest
    @EnumSource
    void declaresTheLengthsOfItsValues(ChecksumAlgorithm algorithm) {
        assertThat(algorithm.start().digest()).hasSize(algorithm.digestLength());
        assertThat(algorithm.start().base64()).hasSize(algorithm.encodedLength());
    }

    @ParameterizedTest
    @CsvSource({
        "CRC64NVME, x-amz-checksum-crc64nvme",
        "XXHASH64, x-amz-checksum-xxhash64",
        "XXHASH3, x-amz-checksum-xxhash3",
        "XXHASH128, x-amz-checksum-xxhash128"
    })
    void namesItsHeaderAsS3Does(ChecksumAlgorithm algorithm, String name) {
        assertThat(algorithm.headerName()).isEqualTo(name);
        assertThat(ChecksumAlgorithm.ofHeader(name)).contains(algorithm);
    }

    @ParameterizedTest
    @EnumSource
    void isAvailableWithAllLibrariesThere(ChecksumAlgorithm algorithm) {
        assertThat(algorithm.isAvailable()).isTrue();
        assertThat(algorithm.requireAvailable()).isSameAs(algorithm);
    }

    @Test
    void namesTheVersionOfTheLibraryThatIsTested() {
        String jar = Hashing.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        assertThat(Hash4j.COORDINATES)
                .isEqualTo("com.dynatrace.hash4j:hash4j:" + jar.replaceAll(".*hash4j-|\\.jar", ""));
    }

    @ParameterizedTest
    @EnumSource
    void acceptsItsOwnValues(ChecksumAlgorithm algorithm) {
        String value = base64(algorithm, new byte[] {1, 2, 3});
        assertThat(algorithm.requireValue(value)).isSameAs(value);
        assertThat(algorithm.encode(algorithm.decode(value))).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yZRlqg",
                "yZRlqg=",
                "yZRlqh==",
                "yZRlqg==\n",
                " yZRlqg==",
                "yZR-qg==",
                "jSnVw/bqjr4=",
                "c99465aa"
            })
    void refusesWhatIsNotStrictBase64OfItsLength(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChecksumAlgorithm.CRC32C.requireValue(value))
                .withMessageContaining("\"" + value + "\"")
                .withMessageContaining("CRC32C")
                .withMessageContaining("4 bytes")
                .withMessageNotContaining("composite");
    }

    @Test
    void saysThatACompositeValueIsNotOfTheBytes() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> ChecksumAlgorithm.SHA256.requireValue("rVWtNbadtsaKXJAcgWPWjifHzJaXde/iV4jaJAOdivc=-3"))
                .withMessageContaining("\"rVWtNbadtsaKXJAcgWPWjifHzJaXde/iV4jaJAOdivc=-3\"")
                .withMessageContaining("composite SHA256")
                .withMessageContaining("3 parts, not over the object's bytes")
                .withMessageContaining("32 bytes");
    }

    @Test
    void refusesToEncodeAnotherLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChecksumAlgorithm.CRC32.encode(new byte[8]))
                .withMessage("A CRC32 checksum has 4 bytes, not 8");
    }

    @Test
    void aMismatchHasBothValues() {
        assertThatExceptionOfType(ChecksumMismatchException.class)
                .isThrownBy(() -> {
                    throw new ChecksumMismatchException(ChecksumAlgorithm.CRC32C, "yZRlqg==", "AAAAAA==");
                })
                .withMessageContainingAll("CRC32C", "yZRlqg==", "AAAAAA==")
                .satisfies(e -> {
                    assertThat(e.algorithm()).isEqualTo(ChecksumAlgorithm.CRC32C);
                    assertThat(e.expected()).isEqualTo("yZRlqg==");
                    assertThat(e.actual()).isEqualTo("AAAAAA==");
                });
    }

    private static String base64(ChecksumAlgorithm algorithm, byte[] bytes) {
        RunningChecksum checksum = algorithm.start();
        checksum.update(bytes, 0, bytes.length);
        return checksum.base64();
    }

    private static String crc64(byte[] bytes) {
        RunningChecksum checksum = ChecksumAlgorithm.CRC64NVME.start();
        checksum.update(bytes, 0, bytes.length);
        return HexFormat.of().formatHex(checksum.digest());
    }
}
