package io.github.reslice.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.AwsChunked;
import io.github.reslice.AwsChunkedDecoder;
import io.github.reslice.Checksums;
import io.github.reslice.Reslice;
import io.github.reslice.awssdk.FluxRequestBody;
import io.github.reslice.awssdk.FluxResponseTransformer;
import io.github.reslice.awssdk.ResliceAuthScheme;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.servers.OnServer;
import io.github.reslice.servers.Peer;
import io.github.reslice.servers.S3Server;
import io.github.reslice.servers.SdkClients;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SigV4;
import io.github.reslice.sigv4.SignedHeaders;
import io.github.reslice.spring.S3ExchangeFilter;
import io.github.reslice.spring.S3WebFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.HttpComponentsClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.JettyClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/** The README's code: it compiles here, as it stands there, and what can run runs. */
@OnServer(Peer.S3PROXY)
class ReadmeTest {

    private static final Path SOURCE = Path.of("src/test/java/io/github/reslice/examples/ReadmeTest.java");
    static final Pattern IN_README = Pattern.compile("<!-- snippet: (\\w+) -->\n```java\n(.*?)```\n", Pattern.DOTALL);
    static final Pattern IN_SOURCE = Pattern.compile("// snippet: (\\w+)\n(.*?)\n *// end", Pattern.DOTALL);

    private final String accessKey = "access";
    private final String secretKey = "secret";
    private final Flux<ByteBuffer> source = Flux.defer(() -> Flux.just(UTF_8.encode("hello "), UTF_8.encode("world")));
    private final long length = 11;

    @ParameterizedTest
    @MethodSource("snippets")
    void showsCodeThatCompilesHere(String name, String code) throws IOException {
        assertThat(code)
                .isEqualTo(snippetsIn(Files.readString(SOURCE), IN_SOURCE).get(name));
    }

    @Test
    void webClientRecipeMakesAnUploader() {
        // snippet: webClient
        WebClient s3 = WebClient.builder()
                .baseUrl("http://127.0.0.1:9000")
                .filter(S3ExchangeFilter.builder()
                        .credentials(AwsCredentials.of(accessKey, secretKey))
                        .region("us-east-1")
                        .build())
                .build();

        Mono<ResponseEntity<Void>> stored = s3.put()
                .uri("/bucket/key")
                .contentLength(length)
                .body(source, ByteBuffer.class)
                .retrieve()
                .toBodilessEntity();
        // end
        assertThat(stored).isNotNull();
    }

    @Test
    void operatorRecipeGivesABodyOfTheLengthThatItTells() {
        // snippet: operator
        AwsChunked chunked = AwsChunked.builder().build(); // immutable and thread-safe: make one, share it

        Flux<ByteBuffer> body = source.transform(chunked.encode(length));
        long contentLength = chunked.encodedLength(length);
        Map<String, String> headers = chunked.headers(length);
        // end
        assertThat(text(body)).isEqualTo("b\r\nhello world\r\n0\r\nx-amz-checksum-crc32:DUoRhQ==\r\n\r\n");
        assertThat(text(body)).hasSize((int) contentLength);
        assertThat(headers).containsEntry("x-amz-trailer", "x-amz-checksum-crc32");
    }

    @Test
    void awsSdkRecipeStoresAndReads(S3Server server) {
        try (S3AsyncClient s3 = SdkClients.async(server)) {
            s3.createBucket(bucket -> bucket.bucket("bucket")).join();
            // snippet: awsSdk
            PutObjectRequest put =
                    PutObjectRequest.builder().bucket("bucket").key("key").build();
            Mono<PutObjectResponse> stored =
                    Mono.fromFuture(() -> s3.putObject(put, FluxRequestBody.of(source, length)));

            GetObjectRequest get =
                    GetObjectRequest.builder().bucket("bucket").key("key").build();
            Flux<ByteBuffer> object = Mono.fromFuture(() -> s3.getObject(get, FluxResponseTransformer.create()))
                    .flatMapMany(Flux::from);
            // end
            stored.block();
            assertThat(text(object)).isEqualTo("hello world");
        }
    }

    @Test
    void authSchemeRecipeMakesAClient() {
        // snippet: authScheme
        S3AsyncClient s3 = S3AsyncClient.builder()
                .putAuthScheme(ResliceAuthScheme.create()) // the one line
                .region(Region.US_EAST_1)
                .build();
        // end
        assertThat(s3.serviceClientConfiguration().authSchemes().get("aws.auth#sigv4"))
                .isInstanceOf(ResliceAuthScheme.class);
        s3.close();
    }

    @Test
    void signedRecipeGivesABodyWithASignatureForEachChunkAndTheTrailer() {
        URI uri = URI.create("http://127.0.0.1:9000/bucket/key");
        SigV4 sigv4 = SigV4.builder().region("us-east-1").build();
        AwsCredentials credentials = AwsCredentials.of(accessKey, secretKey);
        // snippet: signed
        AwsChunked.Signed signed = AwsChunked.builder().build().signed(); // shared likewise

        SignedHeaders seed = sigv4.sign("PUT", uri, signed.headers(length), credentials);
        Flux<ByteBuffer> body = source.transform(signed.encode(length, seed));
        // end
        assertThat(text(body)
                        .replaceAll("signature([=:])[0-9a-f]{64}", "signature$1...")
                        .split("\r\n", -1))
                .containsExactly(
                        "b;chunk-signature=...",
                        "hello world",
                        "0;chunk-signature=...",
                        "x-amz-checksum-crc32:DUoRhQ==",
                        "x-amz-trailer-signature:...",
                        "",
                        "");
    }

    @Test
    void httpClientRecipeUploads(S3Server server) throws Exception {
        URI bucket = URI.create(server.endpoint() + "/readme");
        SigV4 signer = SigV4.builder().region(server.region()).build();
        SignedHeaders toCreate = signer.sign("PUT", bucket, Map.of(), credentials(server));
        HttpRequest.Builder create = HttpRequest.newBuilder(toCreate.uri()).PUT(BodyPublishers.noBody());
        toCreate.headers().forEach(create::header);
        HttpClient httpClient = HttpClient.newHttpClient();
        assertThat(httpClient.send(create.build(), BodyHandlers.discarding()).statusCode())
                .isEqualTo(200);

        HttpResponse<String> response =
                upload(httpClient, URI.create(bucket + "/key"), server.accessKey(), server.secretKey());

        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    }

    private HttpResponse<String> upload(HttpClient httpClient, URI uri, String accessKey, String secretKey)
            throws IOException, InterruptedException {
        // snippet: httpClient
        AwsChunked chunked =
                AwsChunked.builder().checksum(ChecksumAlgorithm.CRC32C).build();
        SigV4 sigv4 = SigV4.builder().region("us-east-1").service("s3").build();
        SignedHeaders signed = sigv4.sign("PUT", uri, chunked.headers(length), AwsCredentials.of(accessKey, secretKey));

        Flux<ByteBuffer> body = source.transform(chunked.encode(length));
        HttpRequest.Builder request = HttpRequest.newBuilder(signed.uri())
                .PUT(BodyPublishers.fromPublisher(
                        JdkFlowAdapter.publisherToFlowPublisher(body), chunked.encodedLength(length)));
        signed.headers().forEach(request::header);

        HttpResponse<String> response = httpClient.send(request.build(), BodyHandlers.ofString());
        // end
        return response;
    }

    @Test
    void decoderRecipeGivesThePayloadBack() {
        AwsChunked chunked =
                AwsChunked.builder().checksum(ChecksumAlgorithm.CRC32C).build();
        SignedHeaders seed = SigV4.builder()
                .region("us-east-1")
                .build()
                .sign(
                        "PUT",
                        URI.create("http://127.0.0.1/bucket/key"),
                        chunked.signed().headers(length),
                        AwsCredentials.of(accessKey, secretKey));
        Flux<ByteBuffer> wire = source.transform(chunked.encode(length));
        Flux<ByteBuffer> signedWire = source.transform(chunked.signed().encode(length, seed));
        // snippet: decoder
        AwsChunkedDecoder decoder = AwsChunkedDecoder.builder()
                .decodedLength(length)
                .trailer("x-amz-checksum-crc32c")
                .build(); // or .headers(headers), which takes all of it from the request

        Flux<ByteBuffer> payload = wire.transform(decoder.decode()); // framing, length and announced checksum verified
        Flux<ByteBuffer> verified = signedWire.transform(decoder.decode(seed)); // signatures of chunks and trailer too
        // end
        assertThat(text(payload)).isEqualTo("hello world");
        assertThat(text(verified)).isEqualTo("hello world");
    }

    /** Who may upload. */
    private interface Users {
        Mono<String> secretKeyOf(String accessKey);
    }

    @Test
    void serverRecipeRefusesWhoIsNotKnown() throws Exception {
        Users users = unknown -> Mono.empty();
        WebHandler controllers = exchange -> Mono.error(new AssertionError("reached"));
        // snippet: server
        S3WebFilter s3 = S3WebFilter.builder()
                .region("us-east-1")
                .secrets(accessKey -> users.secretKeyOf(accessKey) // a Mono, empty for an unknown key
                        .map(secretKey -> AwsCredentials.of(accessKey, secretKey)))
                .build();
        HttpHandler handler =
                WebHttpHandlerBuilder.webHandler(controllers).filter(s3).build();
        // end
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(handler))
                .bindNow();
        try {
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/bucket/key"))
                                    .build(),
                            BodyHandlers.ofString());

            assertThat(response.statusCode()).isEqualTo(403);
            assertThat(response.body()).contains("<Code>AccessDenied</Code>");
        } finally {
            server.disposeNow();
        }
    }

    @Test
    void moreOperatorsDoWhatTheyAreSaidTo() {
        List<String> log = new ArrayList<>();
        String firstPart = "AAAAAA==";
        String secondPart = "DUoRhQ==";
        long secondPartLength = length;
        // snippet: operators
        Flux<ByteBuffer> even =
                source.transform(Reslice.toSize(64 * 1024)); // every buffer that size, the last one shorter
        Flux<ByteBuffer> same = source.transform(Checksums.verify(ChecksumAlgorithm.CRC32C, "yZRlqg=="));
        Flux<ByteBuffer> tapped = source.transform(Checksums.tap(ChecksumAlgorithm.SHA256, log::add));
        String whole = Checksums.combine(ChecksumAlgorithm.CRC32, firstPart, secondPart, secondPartLength);
        // end
        assertThat(Stream.of(even, same, tapped).map(ReadmeTest::text)).containsOnly("hello world");
        assertThat(log).containsExactly("uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=");
        assertThat(whole).isEqualTo("DUoRhQ==");
    }

    @Test
    void connectorRecipesReadAGzipObjectBackAsItWasStored(S3Server server) throws Exception {
        // snippet: connectors
        ClientHttpConnector reactorNetty =
                new ReactorClientHttpConnector(reactor.netty.http.client.HttpClient.create());

        ClientHttpConnector jdk = new JdkClientHttpConnector(
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());

        org.eclipse.jetty.client.HttpClient jettyClient = new org.eclipse.jetty.client.HttpClient();
        jettyClient.setFollowRedirects(false);
        jettyClient.start();
        jettyClient.getContentDecoderFactories().clear();
        ClientHttpConnector jetty = new JettyClientHttpConnector(jettyClient);

        ClientHttpConnector apache = new HttpComponentsClientHttpConnector(HttpAsyncClients.custom()
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableContentCompression()
                .setConnectionManager(PoolingAsyncClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(50) // of its own accord 5 at a time
                        .setMaxConnTotal(50)
                        .build())
                .build());
        // end
        byte[] zipped = gzip("hello world");
        for (ClientHttpConnector connector : List.of(reactorNetty, jdk, jetty, apache)) {
            WebClient s3 = WebClient.builder()
                    .clientConnector(connector)
                    .baseUrl(server.endpoint().toString())
                    .filter(S3ExchangeFilter.builder()
                            .credentials(credentials(server))
                            .region(server.region())
                            .build())
                    .build();
            String bucket = "/recipe-" + UUID.randomUUID();
            s3.put().uri(bucket).retrieve().toBodilessEntity().block();
            s3.put()
                    .uri(bucket + "/key")
                    .header("Content-Encoding", "gzip")
                    .bodyValue(zipped)
                    .retrieve()
                    .toBodilessEntity()
                    .block();

            assertThat(s3.get()
                            .uri(bucket + "/key")
                            .retrieve()
                            .bodyToMono(byte[].class)
                            .block())
                    .isEqualTo(zipped);
        }
        jettyClient.stop();
        ((HttpComponentsClientHttpConnector) apache).close();
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(zipped)) {
            out.write(text.getBytes(UTF_8));
        }
        return zipped.toByteArray();
    }

    static Stream<Object[]> snippets() throws IOException {
        Map<String, String> shown = snippetsIn(Files.readString(Path.of("README.md")), IN_README);
        shown.remove("stage"); // LengthPrefixTest looks after it
        shown.keySet().removeAll(List.of("netty", "records")); // and NettyReadmeTest after these
        return shown.entrySet().stream().map(snippet -> new Object[] {snippet.getKey(), snippet.getValue()});
    }

    static Map<String, String> snippetsIn(String text, Pattern pattern) {
        Map<String, String> snippets = new LinkedHashMap<>();
        for (Matcher matcher = pattern.matcher(text); matcher.find(); ) {
            snippets.put(matcher.group(1), matcher.group(2).stripIndent().strip());
        }
        return snippets;
    }

    private static AwsCredentials credentials(S3Server server) {
        return AwsCredentials.of(server.accessKey(), server.secretKey());
    }

    private static String text(Flux<ByteBuffer> bytes) {
        return bytes.map(buffer -> UTF_8.decode(buffer.duplicate()).toString())
                .collect(joining())
                .block();
    }
}
