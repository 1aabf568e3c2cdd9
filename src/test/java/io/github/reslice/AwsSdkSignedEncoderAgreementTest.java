package io.github.reslice;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reslice.awschunked.Sliced;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.sigv4.AwsCredentials;
import io.github.reslice.sigv4.SigV4;
import io.github.reslice.sigv4.SignedHeaders;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.http.auth.aws.internal.signer.CredentialScope;
import software.amazon.awssdk.http.auth.aws.internal.signer.RollingSigner;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.ChunkedEncodedPublisher;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.SigV4ChunkExtensionProvider;
import software.amazon.awssdk.http.auth.aws.internal.signer.chunkedencoding.SigV4TrailerProvider;
import software.amazon.awssdk.http.auth.aws.internal.signer.util.SignerUtils;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.utils.Pair;

/** The AWS SDK's own encoder, with its signer of chunks and of trailers, gives the same bytes. */
class AwsSdkSignedEncoderAgreementTest {

    private static final String ACCESS_KEY = "AKIAIOSFODNN7EXAMPLE";
    private static final URI OBJECT = URI.create("http://127.0.0.1:9000/bucket/key");
    private static final List<String> NAMES = List.of("x-z", "x-a-b", "x-a", "a0");

    @Test
    void randomBodiesAreTheSame() {
        for (int seed = 0; seed < Effort.cases(500, 5_000); seed++) {
            Example example = new Example(new Random(seed));
            SignedHeaders request = example.request();

            assertThat(example.ours(request))
                    .as("random case with seed %s", seed)
                    .isEqualTo(example.theirs(request));
        }
    }

    private static final class Example {

        private final byte[] payload;
        private final int chunkSize;
        private final @Nullable ChecksumAlgorithm checksum;
        private final List<String> others;
        private final boolean lengthIsKnown;
        private final Instant now;
        private final String secretKey;
        private final String region;
        private final Sliced sliced;
        private final AwsChunked.Signed signed;

        Example(Random random) {
            payload = new byte[random.nextInt(random.nextInt(10) == 0 ? 100_000 : 20_000)];
            random.nextBytes(payload);
            chunkSize = random.nextInt(4) == 0 && payload.length >= 8192
                    ? Math.max(8192, payload.length / (1 + random.nextInt(3)))
                    : 8192 + random.nextInt(20_000);
            int algorithm = random.nextInt(SdkTrailer.ALGORITHMS.size() + 1) - 1;
            checksum = algorithm < 0 ? null : SdkTrailer.ALGORITHMS.get(algorithm);
            others = NAMES.subList(0, Math.max(0, random.nextInt(2 * NAMES.size()) - NAMES.size() + 1));
            lengthIsKnown = random.nextBoolean();
            now = Instant.ofEpochSecond(random.nextInt(Integer.MAX_VALUE));
            secretKey = Long.toString(random.nextLong(), 36);
            region = random.nextBoolean() ? "us-east-1" : "eu-central-2";
            sliced = Sliced.atRandom(payload, random);
            signed = settings().signed();
        }

        private AwsChunked settings() {
            AwsChunked.Builder settings =
                    AwsChunked.builder().chunkSize(chunkSize).noChecksum();
            if (checksum != null) {
                settings.checksum(checksum);
            }
            others.forEach(name -> settings.trailer(name, name.length(), () -> name));
            return settings.build();
        }

        SignedHeaders request() {
            Map<String, String> headers = lengthIsKnown ? signed.headers(payload.length) : signed.headers();
            SigV4 sigv4 = SigV4.builder()
                    .region(region)
                    .clock(Clock.fixed(now, ZoneOffset.UTC))
                    .build();
            return sigv4.sign("PUT", OBJECT, headers, AwsCredentials.of(ACCESS_KEY, secretKey));
        }

        byte[] ours(SignedHeaders request) {
            byte[] body = bytes(sliced.flux()
                    .transform(lengthIsKnown ? signed.encode(payload.length, request) : signed.encode(request)));
            assertThat(body).hasSize((int) signed.encodedLength(payload.length));
            return body;
        }

        byte[] theirs(SignedHeaders request) {
            CredentialScope scope = new CredentialScope(region, "s3", now);
            byte[] key = SignerUtils.deriveSigningKey(AwsCredentialsIdentity.create(ACCESS_KEY, secretKey), scope);
            RollingSigner signer = new RollingSigner(key, request.signature());
            Flux<ByteBuffer> source = sliced.flux();
            ChunkedEncodedPublisher.Builder body = ChunkedEncodedPublisher.builder()
                    .contentLength(payload.length)
                    .chunkSize(chunkSize)
                    .addEmptyTrailingChunk(true)
                    .addExtension(new SigV4ChunkExtensionProvider(signer, scope));
            if (checksum != null) {
                SdkTrailer trailer = new SdkTrailer(checksum);
                source = trailer.reading(source);
                body.addTrailer(trailer);
            }
            others.forEach(name -> body.addTrailer(() -> Pair.of(name, List.of(name))));
            if (!body.trailers().isEmpty()) {
                body.addTrailer(new SigV4TrailerProvider(body.trailers(), signer, scope));
            }
            return bytes(body.publisher(source).build());
        }
    }

    private static byte[] bytes(Publisher<ByteBuffer> body) {
        return Sliced.join(Flux.from(body).toIterable());
    }
}
