package io.rankwire.fabric;

/**
 * For ports that do nothing by themselves.
 *
 * @param obstacle why that is
 */
public record NoTriggeredWork(String obstacle) implements TriggeredWork {
    @Override
    public String obstacle(int rank) {
        return obstacle;
    }

    @Override
    public int mostBytes() {
        return 0;
    }

    @Override
    public String name() {
        return "none";
    }

    @Override
    public TriggeredProgram program(int counters, int entries) {
        return null;
    }
}
