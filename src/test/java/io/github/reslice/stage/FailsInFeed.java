package io.github.reslice.stage;

/** Refuses every buffer. */
class FailsInFeed extends PassThrough<String> {
    @Override
    public void feed(String buffer) {
        throw new Boom();
    }
}
