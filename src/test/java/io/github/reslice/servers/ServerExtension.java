package io.github.reslice.servers;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Starts each {@link Peer} at most once in a run, and hands it to the tests. */
final class ServerExtension implements ExecutionCondition, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(ServerExtension.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Peer peer = peer(context);
        return running(context)
                .map(running -> ConditionEvaluationResult.enabled(running.server() + " runs"))
                .orElseGet(() -> ConditionEvaluationResult.disabled(
                        "no server: " + peer + " is wanted, and " + ExternalServer.ENDPOINT + " is not set"));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == S3Server.class;
    }

    @Override
    public S3Server resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return running(context).orElseThrow().server();
    }

    private static Peer peer(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(
                        context.getRequiredTestClass(), OnServer.class, context.getEnclosingTestClasses())
                .orElseThrow()
                .value();
    }

    private static Optional<RunningServer> running(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(peer(context), Started::new, Started.class)
                .server;
    }

    /** In the root store, which closes it at the end of the run. */
    private static final class Started implements AutoCloseable {
        private final Optional<RunningServer> server;

        Started(Peer peer) {
            try {
                server = peer.start();
            } catch (Exception e) {
                throw new IllegalStateException("cannot start " + peer, e);
            }
        }

        @Override
        public void close() throws IOException {
            if (server.isPresent()) {
                server.get().close();
            }
        }
    }
}
