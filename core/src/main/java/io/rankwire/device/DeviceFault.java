package io.rankwire.device;

/** The device cannot go on: a limit was met and the policy says to end the job. */
public final class DeviceFault extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int code;

    public DeviceFault(int code, String message) {
        super(message);
        this.code = code;
    }

    public int code() {
        return code;
    }
}
