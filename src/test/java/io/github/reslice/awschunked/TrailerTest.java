package io.github.reslice.awschunked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrailerTest {

    private static Trailer trailer(String name, String value) {
        return new Trailer(name, value.length(), () -> value);
    }

    @Test
    void theLineHasNoSpaceBehindTheColon() {
        assertThat(trailer("x-note", "a b").line()).isEqualTo("x-note:a b\r\n");
    }

    @Test
    void theNameIsLowerCased() {
        assertThat(trailer("X-Note", "1").name()).isEqualTo("x-note");
    }

    @Test
    void theValueMayBeEmpty() {
        assertThat(trailer("x-note", "").line()).isEqualTo("x-note:\r\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"''|", "a b|a b", "a:b|a:b", "(a)|(a)", "'a\r\nb'|a\\x0d\\x0ab", "ä|\\xe4", "'a\0'|a\\x00"})
    void refusesANameThatIsNoTokenAndShowsItEscaped(String name, @Nullable String shown) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> trailer(name, "1"))
                .withMessageContaining("token")
                .withMessageContaining("\"" + (shown == null ? "" : shown) + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {" a", "a ", "\ta", "a\r\nb:c", "a\nb", "a\rb", "ä", "a\u00e4b", "a\u007fb", "a\0"})
    void refusesAValueThatWouldBreakTheLine(String value) {
        assertThatIllegalStateException()
                .isThrownBy(trailer("x-note", value)::line)
                .withMessageContaining("visible ASCII");
    }

    @Test
    void theValueMayHaveATabInside() {
        assertThat(trailer("x-note", "a\tb").line()).isEqualTo("x-note:a\tb\r\n");
    }

    @Test
    void theMessageOfARefusedValueStaysOnOneLine() {
        assertThatIllegalStateException()
                .isThrownBy(trailer("x-note", "a\r\nb")::line)
                .withMessageEndingWith("was \"a\\r\\nb\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length", "x-amz-trailer", "x-amz-trailer-signature", "Host", "Trailer"})
    void refusesAFieldThatCannotBeATrailer(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> trailer(name, "1"))
                .withMessageContaining(name.toLowerCase(Locale.ROOT));
    }

    @Test
    void refusesANegativeLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Trailer("x-note", -1, () -> ""))
                .withMessage("The value of trailer x-note must have a length of 0 or more, was -1");
    }

    @Test
    @SuppressWarnings("NullAway") // what callers without a checker do
    void refusesToBeWithoutASourceOfItsValue() {
        assertThatNullPointerException().isThrownBy(() -> new Trailer("x-note", 1, null));
    }

    @Test
    void aLateValueOfAnotherLengthFailsWithBothLengths() {
        assertThatIllegalStateException()
                .isThrownBy(new Trailer("x-note", 3, () -> "four")::line)
                .withMessageContaining("3 characters")
                .withMessageContaining("\"four\" (4)");
    }

    @Test
    void theValueIsAskedForWhenTheLineIsWritten() {
        StringBuilder value = new StringBuilder();
        Trailer trailer = new Trailer("x-note", 4, value::toString);
        value.append("late");

        assertThat(trailer.line()).isEqualTo("x-note:late\r\n");
    }
}
