package io.rankwire.device;

import io.rankwire.wire.Frame;
import io.rankwire.wire.MatchWord;

/** A message that is here without a receive, as a probe sees it. */
public record Unexpected(int context, long word, long a, long b) {
    public int source() {
        return MatchWord.source(word);
    }

    public int tag() {
        return MatchWord.tag(word);
    }

    public long bytes() {
        return Inbound.bytesOf(a);
    }

    public int elementType() {
        return Frame.elementType(Inbound.metaOf(a));
    }
}
