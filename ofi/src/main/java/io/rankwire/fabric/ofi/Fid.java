package io.rankwire.fabric.ofi;

import io.rankwire.fabric.FabricException;
import java.lang.foreign.MemorySegment;

/** An object of the library: its address, and the functions of its tables. */
final class Fid {
    final Libfabric library;
    final long address;

    Fid(Libfabric library, long address) {
        this.library = library;
        this.address = address;
    }

    /**
     * The function at an offset of a table that the object points to. Providers replace tables when an endpoint is
     * enabled, so functions are looked up after that.
     *
     * @return null if the provider has no such function
     */
    MemorySegment function(int table, int offset) {
        long functions = Raw.word(address + table);
        if (functions == 0 || Raw.word(functions) <= offset || Raw.word(functions + offset) == 0) {
            return null;
        }
        return MemorySegment.ofAddress(Raw.word(functions + offset));
    }

    MemorySegment required(int table, int offset, String what) {
        MemorySegment function = function(table, offset);
        if (function == null) {
            throw new FabricException("this provider of libfabric has no function for " + what, null);
        }
        return function;
    }

    /** Returns the code of the library if it is no error. */
    int check(String what, long code) {
        if ((int) code < 0) {
            throw new FabricException(what + " failed: " + library.text(code), null);
        }
        return (int) code;
    }

    void bind(String what, Fid to, long flags) {
        check(what, Calls.call(required(Abi.FID_OPS, Abi.FID_BIND, what), address, to.address, flags));
    }

    int control(int command, long argument) {
        MemorySegment function = function(Abi.FID_OPS, Abi.FID_CONTROL);
        return function == null ? -Abi.FI_ENOSYS : (int) Calls.call(function, address, command, argument);
    }

    /** Ends the object; 0, or an error. */
    int close() {
        return (int) Calls.call(required(Abi.FID_OPS, Abi.FID_CLOSE, "closing"), address);
    }
}
