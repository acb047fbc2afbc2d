package io.rankwire.trace;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/** A call of the program that could not end at once. Fields that a call does not have are -1 or null. */
@Name("rankwire.Call")
@Label("Waiting Call")
@Description("A call that could not end at once, from its first poll to the end of the wait")
@Category("Rankwire")
@Threshold("20 us")
public final class CallEvent extends Event {
    @Label("Rank")
    public int rank;

    @Label("Call")
    public String call;

    @Label("Peer")
    @Description("Rank in the world that the call waits for, -1 for any or several")
    public int peer;

    @Label("Tag")
    @Description("-1 for any, and for calls without a tag")
    public int tag;

    @Label("Bytes")
    @Description("Size of the buffer, -1 for calls without one")
    @DataAmount
    public long bytes;

    @Label("Communicator")
    public String communicator;

    @Label("Line")
    @Description("Source line of the program")
    public String line;

    @Label("Rested")
    @Description("Time in which the call gave the processor away; in a simulation the virtual time of the wait")
    @Timespan
    public long rested;

    @Label("Description")
    public String description;
}
