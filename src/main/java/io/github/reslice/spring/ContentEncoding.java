package io.github.reslice.spring;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;

/** How a body is encoded: {@code aws-chunked} is the framing's, the rest is the object's own. */
final class ContentEncoding {

    static final String AWS_CHUNKED = "aws-chunked";

    private ContentEncoding() {}

    /** The object's own encodings, in order. */
    static List<String> ofObject(HttpHeaders headers) {
        return all(headers)
                .filter(encoding -> !encoding.equalsIgnoreCase(AWS_CHUNKED))
                .toList();
    }

    /** Whether it speaks of aws-chunked, with parameters or not. */
    static boolean isAwsChunked(HttpHeaders headers) {
        return all(headers)
                .anyMatch(encoding -> encoding.toLowerCase(Locale.ROOT).contains(AWS_CHUNKED));
    }

    private static Stream<String> all(HttpHeaders headers) {
        return headers.getOrEmpty(HttpHeaders.CONTENT_ENCODING).stream()
                .flatMap(value -> Stream.of(value.split(",")))
                .map(String::strip)
                .filter(encoding -> !encoding.isEmpty());
    }
}
