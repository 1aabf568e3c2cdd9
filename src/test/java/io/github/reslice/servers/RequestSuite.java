package io.github.reslice.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.checksum.ChecksumAlgorithm;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClient.RequestHeadersSpec;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Flux;
import reactor.util.retry.Retry;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Requests beside a plain PutObject, and requests that are sent twice. */
abstract class RequestSuite extends FilterSuite {

    private static final int SMALLEST_PART = 5 * 1024 * 1024;
    private static final Pattern UPLOAD_ID = Pattern.compile("<UploadId>([^<]+)</UploadId>");

    private final byte[] payload = randomBytes(300_000);

    @ParameterizedTest
    @EnumSource
    void uploadsInParts(Connector connector) throws IOException {
        byte[] whole = randomBytes(SMALLEST_PART + 100_000);
        WebClient client = client(connector);
        String id = begin(client);

        String first = part(client, id, 1, Arrays.copyOf(whole, SMALLEST_PART));
        String second = part(client, id, 2, Arrays.copyOfRange(whole, SMALLEST_PART, whole.length));
        complete(client, id, first + second);

        assertStored(whole);
    }

    @ParameterizedTest
    @EnumSource
    void refusesAPartWithAByteChangedOnTheWayWhereTheChecksumIsVerified(Connector connector) throws IOException {
        String id = begin(client(connector));
        try (TamperingProxy proxy = TamperingProxy.before(server().endpoint(), Fault.changeBodyByte(1000))) {
            S3Server behind = server().through(proxy.endpoint());
            WebClient changed = client(connector, behind, settings(behind));

            if (server().verifies(ChecksumAlgorithm.CRC32)) {
                refusal(partRequest(changed, id, 1, payload));
            } else {
                send(partRequest(changed, id, 1, payload));
            }
            assertThat(proxy.faults()).isOne();
        }
        assertThat(partsStored(id)).isEqualTo(server().verifies(ChecksumAlgorithm.CRC32) ? 0 : 1);
    }

    @ParameterizedTest
    @EnumSource
    void copiesAnObject(Connector connector) throws IOException {
        WebClient client = client(connector);
        send(BodyKind.BYTE_BUFFERS.give(client.put().uri("/{bucket}/source", bucket), payload));

        send(put(client).header("x-amz-copy-source", "/" + bucket + "/source"));

        assertStored(payload);
    }

    @ParameterizedTest
    @EnumSource
    void deletesAnObject(Connector connector) throws IOException {
        WebClient client = client(connector);
        send(BodyKind.BYTE_BUFFERS.give(put(client), payload));
        assertStored(payload);

        send(client.delete().uri(path));

        assertNothingStored();
    }

    /** Not every server keeps tags: what the AWS SDK is answered, the filter is answered too. */
    @ParameterizedTest
    @EnumSource
    void tagsAnObjectWhereTheSdkDoes(Connector connector) {
        WebClient client = client(connector);
        send(BodyKind.BYTE_BUFFERS.give(put(client), payload));

        HttpStatusCode status = client.put()
                .uri(path + "?tagging")
                .contentType(MediaType.APPLICATION_XML)
                .bodyValue("<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>")
                .exchangeToMono(response -> response.releaseBody().thenReturn(response.statusCode()))
                .block(PATIENCE);

        try (S3Client sdk = SdkClients.blocking(server())) {
            if (status.is2xxSuccessful()) {
                assertThat(sdk.getObjectTagging(get -> get.bucket(bucket).key("object"))
                                .tagSet())
                        .containsExactly(Tag.builder().key("k").value("v").build());
            } else {
                assertThat(status.value()).isEqualTo(statusOfTaggingBy(sdk));
            }
        }
    }

    /** The signature in the query would be one too many beside the filter's. */
    @ParameterizedTest
    @EnumSource
    void leavesAPresignedUriAsItIs(Connector connector) throws IOException {
        URI presigned = presigned();

        send(BodyKind.BYTE_BUFFERS.give(client(connector).put().uri(presigned), payload));

        assertStored(payload);
    }

    @ParameterizedTest
    @EnumSource
    void sendsTheWholeAgainAfterAServersBusyAnswer(Connector connector) throws IOException {
        try (RecordingServer busy = RecordingServer.answering(Answer.status(503))) {
            AtomicInteger attempts = new AtomicInteger();
            WebClient client = client(connector)
                    .mutate()
                    .filters(filters -> filters.add(0, firstTo(busy.endpoint(), attempts)))
                    .build();

            sendTwice(BodyKind.POOLED_DATA_BUFFERS.give(put(client), payload));

            assertThat(attempts).hasValue(2);
            assertThat(busy.requests()).hasSize(1);
        }
        assertStored(payload);
    }

    @ParameterizedTest
    @EnumSource
    void sendsTheWholeAgainAfterACutConnection(Connector connector) throws IOException {
        Fault once = Fault.once(Fault.cutAfter(100_000));
        AtomicInteger subscriptions = new AtomicInteger();
        Flux<ByteBuffer> body = BodyKind.byteBuffers(payload).doOnSubscribe(s -> subscriptions.incrementAndGet());
        try (TamperingProxy proxy = TamperingProxy.before(server().endpoint(), once)) {
            S3Server behind = server().through(proxy.endpoint());
            WebClient client = client(connector, behind, settings(behind));

            sendTwice(put(client).contentLength(payload.length).body(body, ByteBuffer.class));

            assertThat(proxy.faults()).isOne();
        }
        assertThat(subscriptions).hasValue(2);
        assertStored(payload);
    }

    private static void sendTwice(RequestHeadersSpec<?> request) {
        request.retrieve().toBodilessEntity().retryWhen(Retry.max(1)).block(PATIENCE);
    }

    /** Sends the first attempt elsewhere, as a load balancer might. */
    private static ExchangeFilterFunction firstTo(URI elsewhere, AtomicInteger attempts) {
        return (request, next) -> next.exchange(
                attempts.getAndIncrement() == 0
                        ? ClientRequest.from(request)
                                .url(UriComponentsBuilder.fromUri(request.url())
                                        .port(elsewhere.getPort())
                                        .build(true)
                                        .toUri())
                                .build()
                        : request);
    }

    private String begin(WebClient client) {
        String answer = client.post()
                .uri(path + "?uploads")
                .header("x-amz-checksum-algorithm", "CRC32")
                .retrieve()
                .bodyToMono(String.class)
                .block(PATIENCE);
        Matcher id = UPLOAD_ID.matcher(answer);
        assertThat(id.find()).as(answer).isTrue();
        return id.group(1);
    }

    private RequestHeadersSpec<?> partRequest(WebClient client, String uploadId, int number, byte[] bytes) {
        return BodyKind.POOLED_DATA_BUFFERS.give(
                client.put().uri("/{bucket}/object?partNumber={number}&uploadId={id}", bucket, number, uploadId),
                bytes);
    }

    /** Uploads it, and returns what completes the upload. */
    private String part(WebClient client, String uploadId, int number, byte[] bytes) {
        String eTag =
                send(partRequest(client, uploadId, number, bytes)).getHeaders().getFirst("ETag");
        return "<Part><PartNumber>%d</PartNumber><ETag>%s</ETag><ChecksumCRC32>%s</ChecksumCRC32></Part>"
                .formatted(number, eTag, new RawUpload(bytes).crc32());
    }

    private int partsStored(String uploadId) {
        try (S3Client sdk = SdkClients.blocking(server())) {
            return sdk.listParts(list -> list.bucket(bucket).key("object").uploadId(uploadId))
                    .parts()
                    .size();
        }
    }

    private void complete(WebClient client, String uploadId, String parts) {
        String answer = client.post()
                .uri("/{bucket}/object?uploadId={id}", bucket, uploadId)
                .contentType(MediaType.APPLICATION_XML)
                .bodyValue("<CompleteMultipartUpload>" + parts + "</CompleteMultipartUpload>")
                .retrieve()
                .bodyToMono(String.class)
                .block(PATIENCE);
        assertThat(answer).contains("CompleteMultipartUploadResult");
    }

    private int statusOfTaggingBy(S3Client sdk) {
        try {
            sdk.putObjectTagging(put -> put.bucket(bucket)
                    .key("object")
                    .tagging(tagging ->
                            tagging.tagSet(Tag.builder().key("k").value("v").build())));
            return 200;
        } catch (S3Exception e) {
            return e.statusCode();
        }
    }

    private URI presigned() {
        try (S3Presigner presigner = S3Presigner.builder()
                .endpointOverride(server().endpoint())
                .region(Region.of(server().region()))
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(server().accessKey(), server().secretKey())))
                .serviceConfiguration(
                        S3Configuration.builder().pathStyleAccessEnabled(true).build())
                .build()) {
            return URI.create(presigner
                    .presignPutObject(request -> request.signatureDuration(Duration.ofMinutes(5))
                            .putObjectRequest(put -> put.bucket(bucket).key("object")))
                    .url()
                    .toString());
        }
    }
}
