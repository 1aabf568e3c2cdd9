package io.github.reslice.sigv4;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A request as a server gives it to the verifier. Each change makes another one. */
record ReceivedRequest(String method, String path, String query, Map<String, List<String>> headers) {

    static ReceivedRequest of(String method, SignedHeaders sent) {
        URI uri = sent.uri();
        Map<String, List<String>> headers = new TreeMap<>();
        sent.headers().forEach((name, value) -> headers.put(name, List.of(value)));
        headers.put("Host", List.of(uri.getRawAuthority()));
        return new ReceivedRequest(method, uri.getRawPath(), uri.getRawQuery(), headers);
    }

    PresentedSignature read(SigV4Verifier verifier) {
        return verifier.read(method, path, query, headers);
    }

    ReceivedRequest withMethod(String other) {
        return new ReceivedRequest(other, path, query, headers);
    }

    ReceivedRequest withPath(String other) {
        return new ReceivedRequest(method, other, query, headers);
    }

    ReceivedRequest withQuery(String other) {
        return new ReceivedRequest(method, path, other, headers);
    }

    ReceivedRequest withQueryChanged(String regex, String replacement) {
        String other = query.replaceAll(regex, replacement);
        if (other.equals(query)) {
            throw new AssertionError(regex + " is not in " + query);
        }
        return withQuery(other);
    }

    ReceivedRequest with(String name, String... values) {
        Map<String, List<String>> other = new TreeMap<>(headers);
        other.put(name, List.of(values));
        return new ReceivedRequest(method, path, query, other);
    }

    ReceivedRequest without(String name) {
        Map<String, List<String>> other = new TreeMap<>(headers);
        if (other.remove(name) == null) {
            throw new AssertionError(name + " is not in " + headers.keySet());
        }
        return new ReceivedRequest(method, path, query, other);
    }

    ReceivedRequest withHeaderChanged(String name, String regex, String replacement) {
        List<String> before = headers.get(name);
        List<String> after = new ArrayList<>(before);
        after.replaceAll(value -> value.replaceAll(regex, replacement));
        if (after.equals(before)) {
            throw new AssertionError(regex + " is not in " + before);
        }
        return with(name, after.toArray(String[]::new));
    }
}
