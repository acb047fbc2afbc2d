package io.rankwire;

/**
 * How urgent the messages of a communicator are for the rank that sends them; see {@link Communicator#priority}.
 */
public enum Priority {
    /** Before all others: for small messages that other ranks wait for, beside bulk transfers. */
    HIGH,
    /** What a communicator has unless the program sets another. */
    NORMAL,
    /** Behind all others: for bulk transfers that no rank waits for. They wait as long as others have bytes to send. */
    LOW
}
