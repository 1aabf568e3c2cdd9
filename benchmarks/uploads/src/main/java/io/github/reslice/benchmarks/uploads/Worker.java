package io.github.reslice.benchmarks.uploads;

import java.io.BufferedReader;
import java.util.Arrays;

/** One contender in a process of its own: uploads once for each line that it gets, and tells what that took. */
final class Worker {

    static final String UPLOAD = "upload";
    static final String UPLOAD_COUNTING_OBJECTS = "upload, counting objects";

    private Worker() {}

    public static void main(String... args) throws Exception {
        try {
            Setting setting = Setting.of(Arrays.copyOfRange(args, 1, args.length));
            serve(Contender.valueOf(args[0]).connect(setting));
            System.exit(0);
        } catch (Throwable e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static void serve(Upload upload) throws Exception {
        DirectMemory directMemory = new DirectMemory();
        directMemory.start();
        BufferedReader questions = Child.questions();
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            Child.answer(
                    line.equals(UPLOAD_COUNTING_OBJECTS)
                            ? Long.toString(OwnAllocation.of(upload))
                            : measured(upload, directMemory));
        }
    }

    private static String measured(Upload upload, DirectMemory directMemory) throws Exception {
        System.gc(); // each upload pays for its own garbage
        directMemory.peak();
        Cost before = Cost.untilNow();
        String eTag = upload.send();
        Cost now = Cost.untilNow();
        Receipt receipt = Receipt.parse(eTag);
        return receipt + " "
                + now.since(before, directMemory.peak(), receipt.records()).line();
    }
}
