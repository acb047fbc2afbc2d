package io.rankwire.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A waiting thread that has polled and yielded in vain sleeps, in growing steps, until something comes. */
@Name("rankwire.Sleep")
@Label("Sleep in a Call")
@Description("A waiting thread sleeps in steps of up to some milliseconds until there is work for its device")
@Category("Rankwire")
@StackTrace(false)
public final class SleepEvent extends Event {
    @Label("Rank")
    public int rank;

    @Label("Peer")
    @Description("Rank in the world that the call waits for, -1 for any or several")
    public int peer;

    @Label("Steps")
    public int steps;
}
