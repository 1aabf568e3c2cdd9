package io.github.reslice.awschunked;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Looks for a body that the decoder reads wrongly, guided by coverage. {@code mvn -Pfuzz test} runs it and says for how
 * long; elsewhere {@link DecoderCorpusTest} goes through its inputs, since the fuzzer's agent would change every class that
 * the other tests measure.
 */
@EnabledIfEnvironmentVariable(named = "JAZZER_FUZZ", matches = ".+")
class DecoderFuzzTest {

    @DictionaryEntries({
        "\\x0d\\x0a",
        "\\x0a\\x0d\\x0a",
        "0\\x0d\\x0a",
        "0\\x0d\\x0a\\x0d\\x0a",
        "1\\x0d\\x0aa\\x0d\\x0a",
        ";chunk-signature=",
        "x-amz-checksum-crc32:",
        "x-amz-checksum-crc32c:",
        "x-amz-checksum-sha256:",
        "x-amz-trailer-signature:",
        "x-note:",
        "x-amz-meta-b:",
        "+",
        "-",
        "0x"
    })
    @FuzzTest(maxDuration = "")
    void decodes(byte[] input) {
        DecoderCheck.check(input);
    }
}
