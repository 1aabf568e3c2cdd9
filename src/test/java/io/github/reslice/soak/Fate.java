package io.github.reslice.soak;

/** What becomes of an upload. */
enum Fate {
    COMPLETE(true),
    /** The source fails, midway or after its last byte. */
    SOURCE_FAILS(false),
    /** The source has fewer bytes than were declared. */
    TOO_SHORT(false),
    /** The source has more bytes than were declared. */
    TOO_LONG(false),
    /** The client cancels on the thread of its source, which then gives no more. */
    CANCELLED(false),
    /** The client cancels on another thread, while its source goes on; it may be done before. */
    ABANDONED(true),
    /** The server takes the body and answers 503. */
    REFUSED(true),
    /** The server answers 503 in the middle of the body. */
    REFUSED_EARLY(true),
    /** The server resets the connection in the middle of the body. */
    RESET(true),
    /** The same, but not when it is tried once more. */
    RESET_ONCE(true);

    private final boolean mayArrive;

    Fate(boolean mayArrive) {
        this.mayArrive = mayArrive;
    }

    /** Whether the client may send all of the body. */
    boolean mayArrive() {
        return mayArrive;
    }
}
