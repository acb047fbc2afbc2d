package io.rankwire.device.work;

/** Whether and how the network may run a program, and why it did not. */
public final class Deferring {
    boolean isAllowed;
    /** How the network would run it; null before that is known. */
    DeferralPlan plan;
    /** Why the device has run it last; null if the network has. */
    String obstacle = "the program was not started";

    /** Lets the network run the program where it can. */
    public void allow() {
        isAllowed = true;
    }

    /** Why the device has run the last run, or runs it; null if the network does, as far as it can. */
    public String obstacle() {
        return obstacle;
    }
}
