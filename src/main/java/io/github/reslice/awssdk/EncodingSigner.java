package io.github.reslice.awssdk;

import io.github.reslice.AwsChunked;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.BaseSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Encodes the bodies that the SDK's signer would encode, and leaves all else to it. */
final class EncodingSigner implements AwsV4HttpSigner {

    private final AwsV4HttpSigner sdk;
    private final AwsChunked chunked;

    EncodingSigner(AwsV4HttpSigner sdk, AwsChunked chunked) {
        this.sdk = sdk;
        this.chunked = chunked;
    }

    @Override
    public SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> request) {
        refusePresignedUpload(request);
        if (request.payload().isPresent() && request.requireProperty(CHUNK_ENCODING_ENABLED, false)) {
            throw new UnsupportedOperationException(
                    "ResliceAuthScheme encodes the uploads of an S3AsyncClient; this one is of a blocking S3Client, whose"
                            + " body is an InputStream. Build that client without the scheme");
        }
        return sdk.sign(request);
    }

    @Override
    public CompletableFuture<AsyncSignedRequest> signAsync(AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
        refusePresignedUpload(request);
        return PayloadEncoding.of(request, chunked)
                .map(encoding -> CompletableFuture.completedFuture(new EncodedUpload(request, encoding).signed()))
                .orElseGet(() -> sdk.signAsync(request));
    }

    private static void refusePresignedUpload(BaseSignRequest<?, ? extends AwsCredentialsIdentity> request) {
        if (request.requireProperty(AUTH_LOCATION, AuthLocation.HEADER) == AuthLocation.QUERY_STRING
                && request.requireProperty(CHUNK_ENCODING_ENABLED, false)) {
            throw new UnsupportedOperationException(
                    "ResliceAuthScheme cannot presign an upload: whoever sends its body encodes it. Presign without the scheme");
        }
    }
}
