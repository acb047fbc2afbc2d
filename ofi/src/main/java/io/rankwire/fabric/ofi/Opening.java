package io.rankwire.fabric.ofi;

import io.rankwire.fabric.FabricException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/** Opens the objects of an {@link Engine} one after the other, and closes them again if one cannot be opened. */
final class Opening {
    /** More entries than operations may be under way, for queues that do not say how many they hold. */
    private static final long MOST_ENTRIES = 1 << 14;

    private final Providers.Choice choice;
    private final Arena arena;
    private final int peers;
    private final long out;
    private final Deque<Fid> opened = new ArrayDeque<>();
    private Fid fabric;
    private Fid domain;
    private Fid addresses;
    private Fid queue;
    private Fid endpoint;

    Opening(Providers.Choice choice, Arena arena, int peers) {
        this.choice = choice;
        this.arena = arena;
        this.peers = peers;
        this.out = Raw.allocate(arena, Long.BYTES);
    }

    private Fid opened(String what, long code) {
        if ((int) code != 0) {
            throw new FabricException("libfabric cannot open " + what + " of provider " + choice.provider().name()
                    + " (" + choice.provider().domain() + "): " + choice.library().text(code)
                    + (choice.provider().registersMemory() ? "; " + LockedMemory.text() : ""), null);
        }
        Fid fid = new Fid(choice.library(), Raw.word(out));
        opened.push(fid);
        return fid;
    }

    Fid fabric() {
        fabric = opened("the fabric",
                choice.library().openFabric(Raw.word(choice.info() + Abi.INFO_FABRIC), out));
        return fabric;
    }

    Fid domain() {
        MemorySegment open = fabric.required(Abi.OBJECT_OPS, Abi.FABRIC_DOMAIN, "domains");
        domain = opened("the domain", Calls.call(open, fabric.address, choice.info(), out, 0));
        return domain;
    }

    Fid addresses() {
        long attributes = Raw.allocate(arena, Abi.AV_ATTR);
        Raw.half(attributes + Abi.AV_ATTR_TYPE, Abi.FI_AV_TABLE);
        Raw.word(attributes + Abi.AV_ATTR_COUNT, Math.max(1, peers));
        MemorySegment open = domain.required(Abi.OBJECT_OPS, Abi.DOMAIN_AV_OPEN, "addresses");
        addresses = opened("a table of addresses", Calls.call(open, domain.address, attributes, out, 0));
        return addresses;
    }

    Fid queue() {
        Provider provider = choice.provider();
        long attributes = Raw.allocate(arena, Abi.CQ_ATTR);
        Raw.word(attributes + Abi.CQ_ATTR_SIZE, Math.min(MOST_ENTRIES, 2 * (provider.sends() + provider.receives())));
        Raw.half(attributes + Abi.CQ_ATTR_FORMAT, Abi.FI_CQ_FORMAT_TAGGED);
        Raw.half(attributes + Abi.CQ_ATTR_WAIT_OBJ, Abi.FI_WAIT_NONE);
        MemorySegment open = domain.required(Abi.OBJECT_OPS, Abi.DOMAIN_CQ_OPEN, "completions");
        queue = opened("a completion queue", Calls.call(open, domain.address, attributes, out, 0));
        return queue;
    }

    Fid endpoint() {
        MemorySegment open = domain.required(Abi.OBJECT_OPS, Abi.DOMAIN_ENDPOINT, "endpoints");
        endpoint = opened("an endpoint", Calls.call(open, domain.address, choice.info(), out, 0));
        return endpoint;
    }

    void enable() {
        endpoint.bind("binding addresses to the endpoint", addresses, 0);
        endpoint.bind("binding completions to the endpoint", queue, Abi.FI_SEND | Abi.FI_RECV);
        endpoint.check("enabling the endpoint of provider " + choice.provider().name(),
                endpoint.control(Abi.FI_ENABLE, 0));
    }

    void undo() {
        opened.forEach(Fid::close);
    }
}
