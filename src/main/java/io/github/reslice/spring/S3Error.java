package io.github.reslice.spring;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpRequest;
import org.springframework.web.reactive.function.client.WebClientResponseException;

/**
 * What an S3 store says about a request that it refused.
 *
 * <pre>{@code
 * s3.put()...retrieve().toBodilessEntity()
 *         .doOnError(WebClientResponseException.class, e -> {
 *             S3Error error = S3Error.from(e);
 *             log.warn("{} {} (request {}) {}", error.code(), error.message(), error.requestId(), error.hint());
 *         });
 * }</pre>
 *
 * <p>Reading never fails: what is not there, or cannot be read, is null. Of a body, its first 64 KiB are looked at, without
 * DTDs and entities.
 *
 * @param status the HTTP status
 * @param code S3's code, {@code NoSuchKey}
 * @param message S3's message
 * @param requestId the request's id, from the body or the header {@code x-amz-request-id}; what the store's support asks for
 * @param resource the bucket or object, if the store says so
 * @param hint what to do, in plain words, when the refusal looks like one of the encoding: a store that does not know it,
 *     or wants the length
 */
public record S3Error(
        int status,
        @Nullable String code,
        @Nullable String message,
        @Nullable String requestId,
        @Nullable String resource,
        @Nullable String hint) {

    private static final int MOST_BYTES = 64 * 1024;
    private static final Set<String> FIELDS = Set.of("Code", "Message", "RequestId", "Resource");
    private static final Set<String> NOT_IMPLEMENTED =
            Set.of("NotImplemented", "XNotImplemented", "XAmzContentSHA256Mismatch");
    private static final Set<String> NOT_UNDERSTOOD = Set.of(
            "NotImplemented",
            "XNotImplemented",
            "XAmzContentSHA256Mismatch",
            "InvalidArgument",
            "InvalidRequest",
            "BadRequest",
            "MalformedTrailerError");
    private static final Set<String> ENCODING_WORDS =
            Set.of("x-amz-content-sha256", "streaming-", "aws-chunked", "trailer");
    private static final Set<String> TRANSFER_WORDS = Set.of("transfer-encoding", "transfer encoding");
    private static final XMLInputFactory XML = safeXml();

    private static final String SWITCH_OFF = "The store seems not to know aws-chunked bodies, or this checksum as their"
            + " trailer: choose another checksum, or send plain bodies, by S3ExchangeFilter.builder().plainBodies() for all requests or"
            + " .attributes(S3ExchangeFilter.plainBody()) for one";
    private static final String GIVE_LENGTH =
            "The store wants the body's length: give contentLength(n) on the request, and"
                    + " do without transferEncodingChunked()";

    /**
     * Reads a refusal.
     *
     * @param refusal what {@code WebClient} makes of an answer that is not a success
     * @return what it says
     */
    public static S3Error from(WebClientResponseException refusal) {
        Map<String, String> fields = fields(refusal.getResponseBodyAsByteArray());
        int status = refusal.getStatusCode().value();
        String code = fields.get("Code");
        String message = fields.get("Message");
        String requestId = fields.get("RequestId");
        return new S3Error(
                status,
                code,
                message,
                requestId != null ? requestId : refusal.getHeaders().getFirst("x-amz-request-id"),
                fields.get("Resource"),
                hint(status, code == null ? "" : code, message == null ? "" : message, refusal.getRequest()));
    }

    private static @Nullable String hint(int status, String code, String message, @Nullable HttpRequest request) {
        String text = message.toLowerCase(Locale.ROOT);
        boolean refused = status == 501 || NOT_UNDERSTOOD.contains(code);
        if (status == 411
                || code.equals("MissingContentLength")
                || (refused && TRANSFER_WORDS.stream().anyMatch(text::contains))) {
            return GIVE_LENGTH;
        }
        Object attribute = request == null ? null : request.getAttributes().get(S3ExchangeFilter.ENCODES);
        if (attribute instanceof AtomicBoolean encodes && !encodes.get()) {
            return null;
        }
        boolean saysWhat = refused && ENCODING_WORDS.stream().anyMatch(text::contains);
        boolean onlySaysNo = status == 501 || NOT_IMPLEMENTED.contains(code);
        return saysWhat || (onlySaysNo && attribute != null) ? SWITCH_OFF : null;
    }

    private static Map<String, String> fields(byte[] body) {
        Map<String, String> fields = new HashMap<>();
        try {
            // as text: of bytes that are not UTF-8 the JDK's reader would complain on standard error
            String text = new String(body, 0, Math.min(body.length, MOST_BYTES), StandardCharsets.UTF_8);
            XMLStreamReader xml = XML.createXMLStreamReader(new StringReader(text));
            String parent = "";
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamConstants.START_ELEMENT) {
                    String name = xml.getLocalName();
                    if (parent.equals("Error") && FIELDS.contains(name)) {
                        String value = xml.getElementText().strip();
                        if (!value.isEmpty()) {
                            fields.putIfAbsent(name, value);
                        }
                    } else if (!parent.equals("Error")) {
                        parent = name;
                    }
                }
            }
        } catch (XMLStreamException | RuntimeException e) {
            // no XML, or no more of it: what was read stands
        }
        return fields;
    }

    private static XMLInputFactory safeXml() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        return factory;
    }
}
