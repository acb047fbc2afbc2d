package io.rankwire.fabric.ofi;

/**
 * What one provider offers on one domain, as the library describes it.
 *
 * @param name as in {@code tcp;ofi_rxm}
 * @param fabric the network
 * @param domain the device
 * @param caps capabilities
 * @param mode what the caller has to do: only contexts are asked for here
 * @param order the order of messages and accesses that it keeps, as sender and receiver
 * @param registration {@code FI_MR_} bits: what it needs to know of memory
 * @param keyBytes bytes of keys that the caller may choose
 * @param injected most bytes of a message whose buffer is free when the call returns
 * @param sends operations that may be under way
 * @param receives receives that may be posted
 * @param mostBytes the longest message
 * @param format of its addresses
 * @param parts that a message may be gathered from
 */
record Provider(String name, String fabric, String domain, long caps, long mode, long order, int registration,
        int keyBytes, long injected, long sends, long receives, long mostBytes, int format,
        long parts) {

    static Provider of(long info) {
        long tx = Raw.word(info + Abi.INFO_TX);
        long rx = Raw.word(info + Abi.INFO_RX);
        long ep = Raw.word(info + Abi.INFO_EP);
        long domain = Raw.word(info + Abi.INFO_DOMAIN);
        long fabric = Raw.word(info + Abi.INFO_FABRIC);
        return new Provider(Raw.text(Raw.word(fabric + Abi.FABRIC_PROV_NAME)),
                Raw.text(Raw.word(fabric + Abi.FABRIC_NAME)), Raw.text(Raw.word(domain + Abi.DOMAIN_NAME)),
                Raw.word(info + Abi.INFO_CAPS), Raw.word(info + Abi.INFO_MODE),
                Raw.word(tx + Abi.TX_MSG_ORDER) & Raw.word(rx + Abi.RX_MSG_ORDER),
                Raw.half(domain + Abi.DOMAIN_MR_MODE), (int) Raw.word(domain + Abi.DOMAIN_MR_KEY_SIZE),
                Raw.word(tx + Abi.TX_INJECT_SIZE), Raw.word(tx + Abi.TX_SIZE), Raw.word(rx + Abi.RX_SIZE),
                unsigned(Raw.word(ep + Abi.EP_MAX_MSG_SIZE)), Raw.half(info + Abi.INFO_ADDR_FORMAT),
                Raw.word(tx + Abi.TX_IOV_LIMIT));
    }

    private static long unsigned(long bytes) {
        return bytes < 0 ? Long.MAX_VALUE : bytes;
    }

    boolean has(long capabilities) {
        return (caps & capabilities) == capabilities;
    }

    boolean keeps(long wanted) {
        return (order & wanted) == wanted;
    }

    boolean needs(int registrationBit) {
        return (registration & registrationBit) != 0;
    }

    /** Whether memory of messages has to be registered before it is used, which locks it. */
    boolean registersMemory() {
        return needs(Abi.FI_MR_LOCAL | Abi.FI_MR_ALLOCATED);
    }

    boolean hasSocketAddresses() {
        return format == Abi.FI_SOCKADDR || format == Abi.FI_SOCKADDR_IN || format == Abi.FI_SOCKADDR_IN6;
    }

    /** The part of the name that moves bytes: {@code tcp} of {@code tcp;ofi_rxm}. */
    String core() {
        int end = name.indexOf(';');
        return end < 0 ? name : name.substring(0, end);
    }

    boolean isLayered() {
        return name.indexOf(';') >= 0;
    }
}
