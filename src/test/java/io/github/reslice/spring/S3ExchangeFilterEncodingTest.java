package io.github.reslice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.awschunked.ReferenceDecoder;
import io.github.reslice.servers.Answer;
import io.github.reslice.servers.Connector;
import io.github.reslice.servers.RecordedRequest;
import io.github.reslice.servers.RecordingServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClient.RequestHeadersSpec;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Mono;

/** What is encoded and what is left as it is, and what the headers and a refusal say of it. */
class S3ExchangeFilterEncodingTest extends RecordedExchanges {

    @ParameterizedTest
    @EnumSource
    void encodesAnObjectAndAPartOfAMultipartUpload(Connector connector) {
        for (String query :
                List.of("x-id=PutObject", "partNumber=1&uploadId=abc", "uploadId=abc&x-id=UploadPart&partNumber=1")) {
            RecordedRequest request = sent(client(connector, filter())
                    .put()
                    .uri("/bucket/key?" + query)
                    .contentLength(payload.length)
                    .body(byteBuffers(), ByteBuffer.class));

            assertEncoded(request, payload);
        }
    }

    @ParameterizedTest
    @EnumSource
    void leavesOtherOperationsBodiesAsTheyAre(Connector connector) {
        for (String query : List.of("tagging", "partNumber=1", "uploadId=abc", "versionId=1", "x-id=a&tagging")) {
            RecordedRequest request = sent(client(connector, filter())
                    .put()
                    .uri("/bucket/key?" + query)
                    .bodyValue("<Tagging/>"));

            assertPlain(request, "<Tagging/>".getBytes(StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @EnumSource
    void leavesAPostsBodyAsItIs(Connector connector) {
        RecordedRequest request =
                sent(client(connector, filter()).post().uri("/bucket?delete").bodyValue("<Delete/>"));

        assertPlain(request, "<Delete/>".getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource
    void doesNotEncodeACopy(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("x-amz-copy-source", "/bucket/other").bodyValue("hello world"));

        assertPlain(request, "hello world".getBytes(StandardCharsets.UTF_8));
        assertThat(new WireSignature(request).signedHeaders()).contains("x-amz-copy-source");
    }

    @ParameterizedTest
    @EnumSource
    void canSendAllBodiesPlain(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter().plainBodies(),
                put -> put.contentLength(payload.length).body(byteBuffers(), ByteBuffer.class));

        assertPlain(request, payload);
        assertThat(new WireSignature(request).signedHeaders()).contains("content-length");
    }

    @ParameterizedTest
    @EnumSource
    void canSendOneBodyPlain(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.attributes(S3ExchangeFilter.plainBody())
                        .contentLength(payload.length)
                        .body(byteBuffers(), ByteBuffer.class));

        assertPlain(request, payload);
    }

    @ParameterizedTest
    @EnumSource
    void leavesABodyAloneWhoseHashTheCallerGives(Connector connector) {
        String hash = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9";

        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("x-amz-content-sha256", hash).bodyValue("hello world"));

        assertThat(request.header("x-amz-content-sha256")).isEqualTo(hash);
        assertThat(request.body()).asString().isEqualTo("hello world");
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheCallersContentEncoding(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("Content-Encoding", "gzip").bodyValue("hello world"));

        assertThat(request.headers("content-encoding")).containsExactly("aws-chunked,gzip");
    }

    @ParameterizedTest
    @EnumSource
    void namesTheEncodingOnceBesideACallersOther(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("Content-Encoding", "gzip, aws-chunked").bodyValue("hello world"));

        assertThat(request.headers("content-encoding")).containsExactly("aws-chunked,gzip");
    }

    @ParameterizedTest
    @EnumSource
    void replacesACallersHeadersOfTheEncoding(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("x-amz-trailer", "x-amz-checksum-sha1")
                        .header("x-amz-decoded-content-length", "7")
                        .header("Content-Encoding", "AWS-chunked")
                        .bodyValue("hello world"));

        assertEncoded(request, "hello world".getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource
    void sendsNoTrailerBesideTheCallersOwnChecksum(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("x-amz-checksum-sha256", "abc=")
                        .header("x-amz-trailer", "x-amz-checksum-sha1")
                        .bodyValue("hello world"));

        assertThat(request.header("x-amz-checksum-sha256")).isEqualTo("abc=");
        assertThat(request.header("x-amz-trailer")).isNull();
        assertThat(request.header("x-amz-sdk-checksum-algorithm")).isNull();
        assertThat(ReferenceDecoder.decode(request.body()).trailers()).isEmpty();
        assertThat(new WireSignature(request).signedHeaders()).contains("x-amz-checksum-sha256");
    }

    @ParameterizedTest
    @EnumSource
    void sendsTheTrailerBesideAChecksumsTypeModeAndAlgorithm(Connector connector) {
        RecordedRequest request = put(
                connector,
                filter(),
                put -> put.header("x-amz-checksum-algorithm", "CRC32")
                        .header("x-amz-checksum-mode", "ENABLED")
                        .header("x-amz-checksum-type", "FULL_OBJECT")
                        .bodyValue("hello world"));

        assertThat(ReferenceDecoder.decode(request.body()).trailers()).containsKey("x-amz-checksum-crc32");
    }

    @ParameterizedTest
    @EnumSource
    void namesTheSwitchWhenAnEncodedBodyIsNotImplemented(Connector connector) throws IOException {
        for (Answer answer : List.of(
                Answer.status(501),
                Answer.status(501).body("application/xml", "<Error><Code>NotImplemented</Code></Error>"),
                Answer.status(400).body("application/xml", "<Error><Code>XAmzContentSHA256Mismatch</Code></Error>"))) {
            server.close();
            server = RecordingServer.answering(answer);

            S3Error error =
                    refusal(client(connector, filter()).put().uri("/bucket/key").bodyValue("hello world"));

            assertThat(error.hint()).contains("plainBodies()");
        }
    }

    @ParameterizedTest
    @EnumSource
    void hasNoHintWhenWhatIsNotImplementedWasNotEncoded(Connector connector) throws IOException {
        server.close();
        server = RecordingServer.answering(Answer.status(501)
                .body(
                        "application/xml",
                        "<Error><Code>NotImplemented</Code><Message>x-amz-content-sha256</Message></Error>"));
        WebClient encoding = client(connector, filter());
        WebClient plain = client(connector, filter().plainBodies());

        for (RequestHeadersSpec<?> request : List.<RequestHeadersSpec<?>>of(
                encoding.put().uri("/bucket/key?tagging").bodyValue("<Tagging/>"),
                encoding.put().uri("/bucket"),
                encoding.get().uri("/bucket/key"),
                plain.put().uri("/bucket/key").bodyValue("hello world"))) {
            S3Error error = refusal(request);

            assertThat(error.code()).isEqualTo("NotImplemented");
            assertThat(error.hint()).isNull();
        }
    }

    private static S3Error refusal(RequestHeadersSpec<?> request) {
        return request.retrieve()
                .toBodilessEntity()
                .thenReturn(new S3Error(200, null, null, null, null, null))
                .onErrorResume(WebClientResponseException.class, e -> Mono.just(S3Error.from(e)))
                .blockOptional()
                .orElseThrow();
    }
}
