package io.github.reslice.servers;

import static io.github.reslice.checksum.ChecksumAlgorithm.CRC32;
import static io.github.reslice.checksum.ChecksumAlgorithm.CRC32C;
import static io.github.reslice.checksum.ChecksumAlgorithm.CRC64NVME;
import static io.github.reslice.checksum.ChecksumAlgorithm.SHA1;
import static io.github.reslice.checksum.ChecksumAlgorithm.SHA256;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.AwsChunked;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.spring.S3Error;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.reactive.function.client.WebClient.RequestHeadersSpec;

/** Bodies whose chunks and trailers are signed: what goes up is stored, and what was changed on the way is not. */
abstract class SignedBodySuite extends FilterSuite {

    private static final String SIGNATURE = ";chunk-signature=";
    private static final int IN_THE_DATA = 64 + "\r\n".length() + 1000;

    /** One chunk, so that a server has read all of it before it says no: its reset cannot overtake its answer. */
    private final byte[] payload = randomBytes(100_000);

    static Stream<Arguments> algorithms() {
        return onEachConnector(ChecksumAlgorithm.values());
    }

    static Stream<Arguments> algorithmsOfAllServers() {
        return onEachConnector(CRC32, CRC32C, CRC64NVME, SHA1, SHA256);
    }

    private static Stream<Arguments> onEachConnector(ChecksumAlgorithm... algorithms) {
        return Stream.of(Connector.values())
                .flatMap(connector -> Stream.of(algorithms).map(algorithm -> Arguments.of(connector, algorithm)));
    }

    static Stream<Arguments> faultsInSignatures() {
        return Stream.of(Connector.values())
                .flatMap(connector -> Stream.of(
                        Arguments.of(connector, Check.CHUNK_SIGNATURE, SIGNATURE),
                        Arguments.of(connector, Check.LAST_CHUNK_SIGNATURE, "\r\n0" + SIGNATURE),
                        Arguments.of(connector, Check.TRAILER_SIGNATURE, "x-amz-trailer-signature:")));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void storesWhatIsSentWhereTheChecksumIsTaken(Connector connector, ChecksumAlgorithm algorithm) throws IOException {
        if (server().takes(algorithm)) {
            send(upload(connector, server(), signed(algorithm)));
            assertStored(payload);
        } else {
            // few enough bytes to be gone before the server refuses the head alone and closes
            refusal(upload(connector, server(), signed(algorithm), randomBytes(1000)));
            assertNothingStored();
        }
    }

    @ParameterizedTest
    @EnumSource
    void storesManyChunksOfPooledBuffers(Connector connector) throws IOException {
        byte[] large = randomBytes(1_000_003);
        AwsChunked.Signed small = AwsChunked.builder().chunkSize(8192).build().signed();

        send(BodyKind.POOLED_DATA_BUFFERS.give(
                put(client(connector, server(), settings(server()).chunked(small))), large));

        assertStored(large);
    }

    @ParameterizedTest
    @EnumSource
    void storesABodyWithoutATrailer(Connector connector) throws IOException {
        send(upload(connector, server(), withoutChecksum()));

        assertStored(payload);
    }

    @ParameterizedTest
    @EnumSource
    void storesABodyWhoseChecksumIsInTheCallersHeader(Connector connector) throws IOException {
        send(upload(connector, server(), signed(CRC32)).header("x-amz-checksum-crc32", new RawUpload(payload).crc32()));

        assertStored(payload);
    }

    @ParameterizedTest
    @EnumSource
    void storesAnEmptyObject(Connector connector) throws IOException {
        send(upload(connector, server(), signed(CRC32), new byte[0]));

        assertStored(new byte[0]);
    }

    @ParameterizedTest
    @MethodSource("algorithmsOfAllServers")
    void refusesADataByteChangedOnTheWayWhereSomethingCoversIt(Connector connector, ChecksumAlgorithm algorithm)
            throws IOException {
        boolean covered = server().checks(Check.CHUNK_SIGNATURE) || server().verifies(algorithm);

        assertChange(connector, signed(algorithm), covered, SIGNATURE, IN_THE_DATA, changed());
    }

    @ParameterizedTest
    @EnumSource
    void refusesADataByteChangedOnTheWayWithoutAChecksumWhereSignaturesAreChecked(Connector connector)
            throws IOException {
        boolean covered = server().checks(Check.CHUNK_SIGNATURE);

        assertChange(connector, withoutChecksum(), covered, SIGNATURE, IN_THE_DATA, changed());
    }

    @ParameterizedTest
    @MethodSource("faultsInSignatures")
    void refusesAChangedSignatureWhereItIsChecked(Connector connector, Check check, String before) throws IOException {
        assertChange(connector, signed(CRC32), server().checks(check), before, 10, payload);
    }

    @ParameterizedTest
    @EnumSource
    void refusesAChangedTrailerWhereSomethingCoversIt(Connector connector) throws IOException {
        boolean covered = server().checks(Check.TRAILER_SIGNATURE) || server().verifies(CRC32);

        assertChange(connector, signed(CRC32), covered, "x-amz-checksum-crc32:", 0, payload);
    }

    /** Sends the payload through a proxy that changes a byte, and looks what the server makes of it. */
    private void assertChange(
            Connector connector, AwsChunked.Signed signed, boolean refused, String before, long place, byte[] stored)
            throws IOException {
        if (refused) {
            S3Error error = sendChanged(connector, signed, before, place, FilterSuite::refusal);
            assertThat(error.code()).isNotBlank();
            assertNothingStored();
        } else {
            sendChanged(connector, signed, before, place, FilterSuite::send);
            assertStored(stored);
        }
    }

    private <T> T sendChanged(
            Connector connector,
            AwsChunked.Signed signed,
            String before,
            long place,
            Function<RequestHeadersSpec<?>, T> send)
            throws IOException {
        Fault fault = Fault.changeByteAfter(before, place);
        try (TamperingProxy proxy = TamperingProxy.before(server().endpoint(), fault)) {
            T result = send.apply(upload(connector, server().through(proxy.endpoint()), signed));
            assertThat(proxy.faults()).isOne();
            return result;
        }
    }

    private RequestHeadersSpec<?> upload(Connector connector, S3Server server, AwsChunked.Signed signed) {
        return upload(connector, server, signed, payload);
    }

    private RequestHeadersSpec<?> upload(Connector connector, S3Server server, AwsChunked.Signed signed, byte[] bytes) {
        return BodyKind.BYTE_BUFFERS.give(
                put(client(connector, server, settings(server).chunked(signed))), bytes);
    }

    private static AwsChunked.Signed signed(ChecksumAlgorithm algorithm) {
        return AwsChunked.builder().checksum(algorithm).build().signed();
    }

    private static AwsChunked.Signed withoutChecksum() {
        return AwsChunked.builder().noChecksum().build().signed();
    }

    private byte[] changed() {
        byte[] changed = Arrays.copyOf(payload, payload.length);
        changed[1000] = (byte) (changed[1000] == '0' ? '1' : '0');
        return changed;
    }
}
