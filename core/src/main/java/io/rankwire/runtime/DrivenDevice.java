package io.rankwire.runtime;

import io.rankwire.launch.VirtualTime;

/** The device as the clock of a simulation sees it. */
record DrivenDevice(Host host) implements VirtualTime.Driven {
    @Override
    public int progress() {
        return host.progressAll();
    }

    @Override
    public void posted(VirtualTime.Wishes to) {
        host.device.forEachPosted(receive -> to.message(receive.context(), receive.peer(), receive.tag()));
    }
}
