package io.rankwire.device;

import io.rankwire.device.dma.Descriptor;
import io.rankwire.device.dma.Span;

/** The sending side of one large message: its bytes, and the two descriptors that move them. */
final class SendTransfer {
    final Span span = new Span();
    final Descriptor early;
    final Descriptor put;
    /** The claims offered to the receiver, see {@link DirectCopies}. */
    long claims = DirectCopies.NO_CLAIMS;

    SendTransfer(Operation operation) {
        early = Descriptor.memoryFifo(operation, span);
        put = Descriptor.directPut(operation, span);
    }
}
