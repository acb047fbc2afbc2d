package io.rankwire.device.datagram;

/** Rings when a time has come: what bounds a wait for datagrams. */
public final class Alarm {
    final long dueNs;
    private boolean rung;

    Alarm(long dueNs) {
        this.dueNs = dueNs;
    }

    void ring() {
        rung = true;
    }

    public boolean hasRung() {
        return rung;
    }
}
