package io.github.reslice.benchmarks;

import io.github.reslice.AwsChunked;
import io.github.reslice.AwsChunkedDecoder;
import io.github.reslice.checksum.ChecksumAlgorithm;
import io.github.reslice.checksum.RunningChecksum;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/** What is measured, and what it is measured beside: each does something with a whole body. */
public enum Contender {

    /** The least that an encoder can do: the JDK's checksum, called in a loop. */
    BARE_CHECKSUM {
        @Override
        Work on(Body body, Demand demand) {
            return () -> checksum(body::forEach);
        }
    },

    /** The least that an encoder of signed chunks can do: the checksum and the SHA-256. */
    BARE_HASHES {
        @Override
        Work on(Body body, Demand demand) throws NoSuchAlgorithmException {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return () -> hashes(sha256, body::forEach);
        }
    },

    KNOWN_LENGTH {
        @Override
        Work on(Body body, Demand demand) {
            AwsChunked chunked = chunked(body);
            long encoded = chunked.encodedLength(body.length);
            return () -> check(encoded, demand.receive(body.source().transform(chunked.encode(body.length))));
        }
    },

    UNKNOWN_LENGTH {
        @Override
        Work on(Body body, Demand demand) {
            AwsChunked chunked = chunked(body);
            long encoded = chunked.encodedLength(body.length);
            return () -> check(encoded, demand.receive(body.source().transform(chunked.encode())));
        }
    },

    SIGNED {
        @Override
        Work on(Body body, Demand demand) {
            SignedBody signed = new SignedBody(chunked(body), body.length);
            return () -> check(signed.encodedLength(), demand.receive(signed.encode(body.source())));
        }
    },

    SIGNED_UNKNOWN_LENGTH {
        @Override
        Work on(Body body, Demand demand) {
            SignedBody signed = new SignedBody(chunked(body), body.length);
            return () -> check(signed.encodedLength(), demand.receive(signed.encodeOfUnknownLength(body.source())));
        }
    },

    /** The AWS SDK's encoder, put together as its own signer does for an unsigned body with a trailer. */
    AWS_SDK {
        @Override
        Work on(Body body, Demand demand) {
            long encoded = chunked(body).encodedLength(body.length);
            return () -> {
                long bytes = demand.receive(SdkEncoder.encode(body.source(), body));
                body.rewind();
                return check(encoded, bytes);
            };
        }
    },

    /** The same for signed chunks. */
    AWS_SDK_SIGNED {
        @Override
        Work on(Body body, Demand demand) {
            long encoded = new SignedBody(chunked(body), body.length).encodedLength();
            return () -> {
                long bytes = demand.receive(SdkEncoder.encodeSigned(body.source(), body));
                body.rewind();
                return check(encoded, bytes);
            };
        }
    },

    /** Several bodies at once, asked in turn; how is not in {@code demand}. */
    BARE_CHECKSUM_IN_TURN {
        @Override
        Work on(Body body, Demand demand) {
            return new InTurn(body.uploads())::checksums;
        }
    },

    KNOWN_LENGTH_IN_TURN {
        @Override
        Work on(Body body, Demand demand) {
            InTurn uploads = new InTurn(body.uploads());
            AwsChunked chunked = chunked(body);
            long encoded = chunked.encodedLength(body.length) * body.uploads;
            return () -> check(encoded, uploads.receive(source -> source.transform(chunked.encode(body.length))));
        }
    },

    AWS_SDK_IN_TURN {
        @Override
        Work on(Body body, Demand demand) {
            InTurn uploads = new InTurn(body.uploads());
            long encoded = chunked(body).encodedLength(body.length) * body.uploads;
            int chunksInTurn = InTurn.TURN * body.bufferSize / body.chunkSize; // its pieces are whole chunks
            return () -> {
                long bytes = uploads.receive(source -> SdkEncoder.encode(source, body), chunksInTurn);
                uploads.rewind();
                return check(encoded, bytes);
            };
        }
    },

    /** The same of bodies as a server gets them. */
    BARE_CHECKSUM_OF_WIRE_IN_TURN {
        @Override
        Work on(Body body, Demand demand) {
            return new InTurn(body.wires())::checksums;
        }
    },

    DECODING_IN_TURN {
        @Override
        Work on(Body body, Demand demand) {
            InTurn uploads = new InTurn(body.wires());
            AwsChunkedDecoder decoder = Wire.decoder(body);
            return () ->
                    check(body.length * body.uploads, uploads.receive(source -> source.transform(decoder.decode())));
        }
    },

    DECODING {
        @Override
        Work on(Body body, Demand demand) {
            Wire wire = body.wire();
            return () -> check(body.length, demand.receive(wire.decoded()));
        }
    },

    /** The least that a decoder can do: the checksum over what comes in. */
    BARE_CHECKSUM_OF_WIRE {
        @Override
        Work on(Body body, Demand demand) {
            Wire wire = body.wire();
            return () -> checksum(wire::forEach);
        }
    },

    SIGNED_DECODING {
        @Override
        Work on(Body body, Demand demand) {
            Wire wire = body.signedWire();
            return () ->
                    check(body.length, demand.receive(wire.decoded(body.signed().seed())));
        }
    },

    /** The least that a decoder of signed chunks can do: the checksum and the SHA-256 over what comes in. */
    BARE_HASHES_OF_WIRE {
        @Override
        Work on(Body body, Demand demand) throws NoSuchAlgorithmException {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            Wire wire = body.signedWire();
            return () -> hashes(sha256, wire::forEach);
        }
    },

    CRC64NVME {
        @Override
        Work on(Body body, Demand demand) {
            return () -> {
                RunningChecksum checksum = ChecksumAlgorithm.CRC64NVME.start();
                body.forEach(checksum::update);
                return checksum.digest()[0];
            };
        }
    },

    /** CRC64NVME by the usual eight tables. */
    SLICING_BY_8 {
        @Override
        Work on(Body body, Demand demand) {
            return () -> {
                SlicingBy8 checksum = new SlicingBy8();
                body.forEach(checksum::update);
                return checksum.value();
            };
        }
    };

    /** Does it once. */
    interface Work {

        /** Gives something that depends on all of it. */
        long run();
    }

    /** Prepares it. */
    abstract Work on(Body body, Demand demand) throws NoSuchAlgorithmException;

    static AwsChunked chunked(Body body) {
        return AwsChunked.builder()
                .chunkSize(body.chunkSize)
                .checksum(ChecksumAlgorithm.CRC32C)
                .build();
    }

    private static long checksum(Consumer<Consumer<ByteBuffer>> buffers) {
        CRC32C crc = new CRC32C();
        buffers.accept(buffer -> update(crc, buffer));
        return crc.getValue();
    }

    private static long hashes(MessageDigest sha256, Consumer<Consumer<ByteBuffer>> buffers) {
        CRC32C crc = new CRC32C();
        buffers.accept(buffer -> {
            sha256.update(buffer);
            buffer.rewind();
            update(crc, buffer);
        });
        return crc.getValue() + sha256.digest()[0];
    }

    static void update(CRC32C crc, ByteBuffer buffer) {
        if (buffer.hasArray()) {
            crc.update(buffer.array(), buffer.arrayOffset(), buffer.limit());
        } else {
            crc.update(buffer);
            buffer.rewind();
        }
    }

    private static long check(long expected, long bytes) {
        if (bytes != expected) {
            throw new IllegalStateException("Expected " + expected + " bytes, got " + bytes);
        }
        return bytes;
    }
}
