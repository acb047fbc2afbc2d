package io.rankwire.device.work;

import io.rankwire.device.Channel;
import io.rankwire.type.ElementType;
import io.rankwire.type.Reduction;

/** What an entry that accesses the memory of a peer holds beside its words, and the way to that memory in a run. */
final class Access {
    final RemotePart part;
    /** The byte of the part. */
    final long at;
    final ElementType type;
    final Reduction op;
    /** Where what was there before goes, and the new value of a comparison; see {@link Entry#place}. */
    final long result;
    final long value;
    /** Null where there is none in this run. */
    Channel channel;
    /** Whether a refusal is no failure: the network was to make the access, and it was taken back. */
    boolean isWithdrawn;

    Access(RemotePart part, long at, ElementType type, Reduction op, long result, long value) {
        this.part = part;
        this.at = at;
        this.type = type;
        this.op = op;
        this.result = result;
        this.value = value;
    }
}
