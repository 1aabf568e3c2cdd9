package io.github.reslice.spring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.AwsChunked;
import io.github.reslice.awschunked.ReferenceChain;
import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.Connector;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.servers.RecordingServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** With a signed {@link AwsChunked} every chunk and the trailer carry the signature that a server computes. */
class S3ExchangeFilterSignedBodyTest extends RecordedExchanges {

    private static final AwsChunked CHUNKED =
            AwsChunked.builder().chunkSize(8192).build();

    private static S3ExchangeFilter.Builder signing() {
        return filter().chunked(CHUNKED.signed());
    }

    @ParameterizedTest
    @EnumSource
    void signsEveryChunkAndTheTrailer(Connector connector) {
        RecordedRequest request = put(
                connector, signing(), put -> put.contentLength(payload.length).body(byteBuffers(), ByteBuffer.class));

        assertThat(request.header("x-amz-content-sha256")).isEqualTo("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER");
        assertThat(request.header("x-amz-decoded-content-length")).isEqualTo("300000");
        assertThat(request.header("x-amz-trailer")).isEqualTo("x-amz-checksum-crc32");
        assertThat(request.header("content-encoding")).isEqualTo("aws-chunked");
        assertThat(request.header("content-length"))
                .isEqualTo(Long.toString(CHUNKED.signed().encodedLength(300_000)))
                .isEqualTo(Integer.toString(request.body().length));
        ReferenceDecoder.Body body = assertSigned(request);
        assertThat(body.payload()).isEqualTo(payload);
        assertThat(body.chunkSizes()).hasSize(300_000 / 8192 + 1);
        assertThat(body.trailers()).containsKeys("x-amz-checksum-crc32", "x-amz-trailer-signature");
    }

    @ParameterizedTest
    @EnumSource
    void signsAnEmptyObjectsZeroChunk(Connector connector) {
        RecordedRequest request =
                put(connector, signing(), put -> put.contentLength(0).body(Mono.<ByteBuffer>empty(), ByteBuffer.class));

        if (request.body().length > 0) {
            assertThat(assertSigned(request).payload()).isEmpty();
        } else {
            assertThat(request.header("x-amz-content-sha256")).isEqualTo(HASH_OF_NOTHING);
        }
    }

    @ParameterizedTest
    @EnumSource
    void signsTheChunksAloneBesideTheCallersOwnChecksum(Connector connector) {
        RecordedRequest request = put(
                connector,
                signing(),
                put -> put.header("x-amz-checksum-sha256", "abc=").bodyValue("hello world"));

        assertThat(request.header("x-amz-content-sha256")).isEqualTo("STREAMING-AWS4-HMAC-SHA256-PAYLOAD");
        assertThat(request.header("x-amz-trailer")).isNull();
        assertThat(request.header("x-amz-sdk-checksum-algorithm")).isNull();
        ReferenceDecoder.Body body = assertSigned(request);
        assertThat(body.payload()).asString().isEqualTo("hello world");
        assertThat(body.trailers()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void signsTheChunksAloneWithoutAChecksum(Connector connector) {
        AwsChunked.Signed none = AwsChunked.builder().noChecksum().build().signed();
        RecordedRequest request = put(connector, filter().chunked(none), put -> put.bodyValue("hello world"));

        assertThat(request.header("x-amz-content-sha256")).isEqualTo("STREAMING-AWS4-HMAC-SHA256-PAYLOAD");
        assertThat(assertSigned(request).trailers()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void signsABodyOfUnknownLength(Connector connector) {
        RecordedRequest request =
                put(connector, signing().transferEncodingChunked(), put -> put.body(byteBuffers(), ByteBuffer.class));

        assertThat(request.header("x-amz-decoded-content-length")).isNull();
        assertThat(request.header("content-length")).isNull();
        assertThat(assertSigned(request).payload()).isEqualTo(payload);
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheCallersContentEncoding(Connector connector) {
        RecordedRequest request = put(
                connector,
                signing(),
                put -> put.header("Content-Encoding", "gzip").bodyValue("hello world"));

        assertThat(request.headers("content-encoding")).containsExactly("aws-chunked,gzip");
        assertSigned(request);
    }

    @ParameterizedTest
    @EnumSource
    void leavesPlainBodiesAsTheyAre(Connector connector) {
        RecordedRequest request = put(
                connector,
                signing(),
                put -> put.attributes(S3ExchangeFilter.plainBody()).bodyValue("hello world"));

        assertPlain(request, "hello world".getBytes(US_ASCII));
    }

    @ParameterizedTest
    @EnumSource
    void computesTheChecksumThatIsChosen(Connector connector) {
        AwsChunked.Signed crc64 = AwsChunked.builder()
                .checksum(ChecksumAlgorithm.CRC64NVME)
                .build()
                .signed();
        RecordedRequest request = put(connector, filter().chunked(crc64), put -> put.bodyValue("hello world"));

        assertThat(assertSigned(request).trailers())
                .containsAllEntriesOf(Map.of("x-amz-checksum-crc64nvme", "jSnVw/bqjr4="));
    }

    @ParameterizedTest
    @EnumSource
    void signsARetryAnew(Connector connector) throws IOException {
        server.close();
        server = RecordingServer.answering(Answer.status(503), Answer.status(200));
        client(connector, signing().clock(new TickingClock()))
                .put()
                .uri("/bucket/key")
                .contentLength(payload.length)
                .body(byteBuffers(), ByteBuffer.class)
                .retrieve()
                .toBodilessEntity()
                .retryWhen(Retry.max(1))
                .block();

        List<RecordedRequest> attempts = server.requests();
        assertThat(attempts).extracting(attempt -> attempt.header("x-amz-date")).doesNotHaveDuplicates();
        assertThat(attempts)
                .hasSize(2)
                .allSatisfy(
                        attempt -> assertThat(assertSigned(attempt).payload()).isEqualTo(payload));
    }

    /** The body's parts, once its signatures have been found to be those that follow from the request's own. */
    private static ReferenceDecoder.Body assertSigned(RecordedRequest request) {
        WireSignature signature = new WireSignature(request);
        ReferenceDecoder.Body body = ReferenceDecoder.decode(request.body());
        List<String> signatures = new ArrayList<>(body.signatures());
        String ofTrailer = body.trailers().get("x-amz-trailer-signature");
        if (ofTrailer != null) {
            signatures.add(ofTrailer);
        }
        ReferenceChain chain = new ReferenceChain(
                SECRET, Objects.requireNonNull(request.header("x-amz-date")), signature.scope(), signature.sent());
        assertThat(signatures).isEqualTo(chain.of(body));
        return body;
    }
}
