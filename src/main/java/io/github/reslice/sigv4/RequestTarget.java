package io.github.reslice.sigv4;

import static java.util.stream.Collectors.joining;

import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a request goes: the host, path and query that are signed, and the URI to send, which has the same. */
final class RequestTarget {

    private static final Map<String, Integer> DEFAULT_PORTS = Map.of("http", 80, "https", 443);

    private final String scheme;
    private final String host;
    private final String path;
    private final List<Parameter> parameters;

    private RequestTarget(String scheme, String host, String path, List<Parameter> parameters) {
        this.scheme = scheme;
        this.host = host;
        this.path = path;
        this.parameters = parameters;
    }

    static RequestTarget of(URI uri) {
        String host = hostAndPort(uri);
        String rawPath = uri.getRawPath();
        return new RequestTarget(
                uri.getScheme(),
                host,
                rawPath.isEmpty() ? "/" : UriEncoding.path(rawPath),
                Parameter.parse(uri.getRawQuery()));
    }

    /**
     * Where a request went that came in.
     *
     * @param host what its Host header says
     * @throws IllegalArgumentException if path or query are not percent-encoded text, the query has a bare plus, or the path
     *     does not start with a slash
     */
    static RequestTarget received(String host, String rawPath, @Nullable String rawQuery) {
        if (!rawPath.isEmpty() && rawPath.charAt(0) != '/') {
            throw new IllegalArgumentException("the path does not start with a slash");
        }
        if (rawQuery != null && rawQuery.indexOf('+') >= 0) {
            throw new IllegalArgumentException("a bare plus in the query, which others read as a space");
        }
        return new RequestTarget(
                "http", host, rawPath.isEmpty() ? "/" : UriEncoding.path(rawPath), Parameter.parse(rawQuery));
    }

    /** A query may carry a session token or a signature, which no message shows. */
    private static String withoutQuery(URI uri) {
        return uri.toString().replaceFirst("[?#].*", "");
    }

    private static String hostAndPort(URI uri) {
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "URI has user information before its host, which some clients send as another Authorization");
        }
        if (uri.getHost() == null) {
            throw new IllegalArgumentException("URI without host: " + withoutQuery(uri)
                    + (uri.getRawAuthority() == null
                            ? " (http://host/path is wanted)"
                            : " (java.net.URI takes no host name like '" + uri.getRawAuthority() + "')"));
        }
        Integer defaultPort = uri.getScheme() == null
                ? null
                : DEFAULT_PORTS.get(uri.getScheme().toLowerCase(Locale.ROOT));
        if (defaultPort == null) {
            throw new IllegalArgumentException("URI is neither http nor https: " + withoutQuery(uri));
        }
        return uri.getPort() < 0 || uri.getPort() == defaultPort ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
    }

    /** The Host header, as HTTP clients write it: with the port, unless that is the scheme's own. */
    String host() {
        return host;
    }

    /** The path, as signed and as sent. */
    String path() {
        return path;
    }

    /** The query as signed: in order, each parameter with its equals sign. */
    String canonicalQuery() {
        return parameters.stream()
                .sorted(Comparator.comparing(Parameter::name).thenComparing(Parameter::value))
                .map(parameter -> parameter.name() + "=" + parameter.value())
                .collect(joining("&"));
    }

    /** The same without a parameter of the query: the signature in a query is not signed itself. */
    RequestTarget without(String name) {
        return new RequestTarget(
                scheme,
                host,
                path,
                parameters.stream()
                        .filter(parameter -> !parameter.name().equals(name))
                        .toList());
    }

    /** The values of a parameter of the query, decoded, in the order that they came. */
    List<String> values(String name) {
        return parameters.stream()
                .filter(parameter -> parameter.name().equals(name))
                .map(parameter -> UriEncoding.decodedParameter(parameter.value()))
                .toList();
    }

    /** The URI to send: the query in the caller's order, its parameters encoded as signed. */
    URI uri() {
        String query = parameters.stream().map(Parameter::sent).collect(joining("&"));
        return URI.create(scheme + "://" + host + path + (query.isEmpty() ? "" : "?" + query));
    }

    /**
     * One parameter of the query.
     *
     * @param bare whether it came without an equals sign, as in {@code ?uploads}
     */
    private record Parameter(String name, String value, boolean bare) {

        static List<Parameter> parse(@Nullable String rawQuery) {
            return rawQuery == null
                    ? List.of()
                    : Stream.of(rawQuery.split("&"))
                            .filter(raw -> !raw.isEmpty())
                            .map(Parameter::of)
                            .toList();
        }

        private static Parameter of(String raw) {
            int equals = raw.indexOf('=');
            return equals < 0
                    ? new Parameter(UriEncoding.parameter(raw), "", true)
                    : new Parameter(
                            UriEncoding.parameter(raw.substring(0, equals)),
                            UriEncoding.parameter(raw.substring(equals + 1)),
                            false);
        }

        String sent() {
            return bare ? name : name + "=" + value;
        }
    }
}
