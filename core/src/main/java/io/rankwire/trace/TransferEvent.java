package io.rankwire.trace;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A message that was announced before it was sent, at one of its ends. */
@Name("rankwire.Transfer")
@Label("Large Message")
@Description("A message that is announced before it is sent: at its sender from the announcement on, at its receiver"
        + " from the moment when it has met its receive")
@Category("Rankwire")
@StackTrace(false)
public final class TransferEvent extends Event {
    @Label("Rank")
    public int rank;

    @Label("Peer")
    @Description("Rank in the world at the other end")
    public int peer;

    @Label("Sent")
    @Description("Whether this is the sending end")
    public boolean sent;

    @Label("Tag")
    public int tag;

    @Label("Bytes")
    @DataAmount
    public long bytes;

    @Label("Way")
    @Description("frames; mapped memory: one copy, by either rank or by both; process memory: read by a system call; "
            + "remote memory: read by the network")
    public String way;

    @Label("Early Bytes")
    @Description("Bytes that were sent ahead of the receiver's answer; 0 at the receiving end")
    @DataAmount
    public long early;
}
