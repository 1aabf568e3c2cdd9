package io.github.reslice.awschunked;

/** What somebody else has sent, fit to stand in a message: visible, and of bounded length. */
final class Quoted {

    private static final int MOST = 64;

    private Quoted() {}

    static String text(CharSequence text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < Math.min(text.length(), MOST); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7f) {
                quoted.append(c);
            } else {
                quoted.append(c < 0x100 ? "\\x%02x".formatted((int) c) : "\\u%04x".formatted((int) c));
            }
        }
        quoted.append('"');
        return text.length() > MOST ? quoted + "... (" + text.length() + " characters)" : quoted.toString();
    }
}
