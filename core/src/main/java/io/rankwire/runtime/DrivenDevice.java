package io.rankwire.runtime;

import io.rankwire.device.Device;
import io.rankwire.launch.VirtualTime;

/** The device of a simulated rank as the clock of the simulation sees it. */
record DrivenDevice(Host host) implements VirtualTime.Driven {
    @Override
    public int progress() {
        return host.progressAll();
    }

    @Override
    public Device device() {
        return host.device;
    }

    @Override
    public void posted(VirtualTime.Wishes to) {
        host.device.forEachPosted(receive -> to.message(receive.context(), receive.peer(), receive.tag()));
    }

    @Override
    public long dueNs() {
        return host.device.due();
    }
}
