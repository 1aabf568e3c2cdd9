package io.github.reslice.benchmarks.uploads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The contenders for one setting, each in a process of its own, in turn; the order rotates from round to round. */
final class Comparison implements AutoCloseable {

    private final Map<Contender, Child> workers = new EnumMap<>(Contender.class);
    private final Map<Contender, Receipt> receipts = new EnumMap<>(Contender.class);

    Comparison(Setting setting, List<Contender> contenders) throws IOException {
        for (Contender contender : contenders) {
            String[] args = new String[setting.args().length + 1];
            args[0] = contender.name();
            System.arraycopy(setting.args(), 0, args, 1, args.length - 1);
            workers.put(contender, Child.start(Worker.class, args));
        }
    }

    Measured run(int warmUps, int rounds) throws IOException {
        Map<Contender, List<Cost>> costs = new EnumMap<>(Contender.class);
        List<Contender> contenders = List.copyOf(workers.keySet());
        for (int round = -warmUps; round < rounds; round++) {
            for (int i = 0; i < contenders.size(); i++) {
                Contender contender = contenders.get(Math.floorMod(i + round, contenders.size()));
                Cost cost = upload(contender);
                if (round >= 0) {
                    costs.computeIfAbsent(contender, c -> new ArrayList<>()).add(cost);
                }
            }
        }
        return new Measured(costs, ownBytes());
    }

    private Map<Contender, Long> ownBytes() throws IOException {
        Map<Contender, Long> bytes = new EnumMap<>(Contender.class);
        for (Map.Entry<Contender, Child> worker : workers.entrySet()) {
            if (worker.getKey().hasItsObjectsCounted()) {
                worker.getValue().ask(Worker.UPLOAD_COUNTING_OBJECTS); // the counting itself warms up
                bytes.put(worker.getKey(), Long.parseLong(worker.getValue().ask(Worker.UPLOAD_COUNTING_OBJECTS)));
            }
        }
        return bytes;
    }

    private Cost upload(Contender contender) throws IOException {
        String[] answer = workers.get(contender).ask(Worker.UPLOAD).split(" ", 2);
        Receipt receipt = Receipt.parse(answer[0]);
        Receipt first = receipts.putIfAbsent(contender, receipt);
        if (first != null && !first.sameBody(receipt)) {
            throw new IllegalStateException(contender + " sent " + first + " and then " + receipt);
        }
        return Cost.parse(answer[1]);
    }

    /** Fails unless all of them that are in it have sent the same bytes. */
    void requireSameBody(Set<Contender> contenders) {
        Map<Contender, Receipt> theirs = new EnumMap<>(receipts);
        theirs.keySet().retainAll(contenders);
        Receipt first = theirs.values().stream().findFirst().orElse(null);
        if (!theirs.values().stream().allMatch(receipt -> receipt.sameBody(first))) {
            throw new IllegalStateException("These should have sent the same bytes: " + theirs);
        }
    }

    @Override
    public void close() {
        workers.values().forEach(Child::close);
    }
}
