package io.github.reslice.spring;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.i18n.AcceptHeaderLocaleContextResolver;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An exchange whose request has another body. Spring's own exchanges read forms and multipart bodies from the request
 * that they were made for, so these are read here, from the new one.
 */
final class CheckedExchange extends ServerWebExchangeDecorator {

    private final ServerHttpRequest request;
    private final ServerWebExchange forms;

    CheckedExchange(ServerWebExchange exchange, ReceivedBody body, ServerCodecConfigurer codecs) {
        super(exchange);
        request = new CheckedRequest(exchange.getRequest(), body);
        forms = new DefaultServerWebExchange(
                request,
                exchange.getResponse(),
                unused -> Mono.empty(),
                codecs,
                new AcceptHeaderLocaleContextResolver());
    }

    @Override
    public ServerHttpRequest getRequest() {
        return request;
    }

    @Override
    public Mono<MultiValueMap<String, String>> getFormData() {
        return forms.getFormData();
    }

    @Override
    public Mono<MultiValueMap<String, Part>> getMultipartData() {
        return forms.getMultipartData();
    }

    @Override
    public Mono<Void> cleanupMultipart() {
        return forms.cleanupMultipart();
    }

    private static final class CheckedRequest extends ServerHttpRequestDecorator {

        private final ReceivedBody body;
        private final HttpHeaders headers;

        CheckedRequest(ServerHttpRequest request, ReceivedBody body) {
            super(request);
            this.body = body;
            headers = body.headers();
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return body.checked(super.getBody());
        }
    }
}
