package io.rankwire.fabric;

import java.io.IOException;

/** A sealed record is not what the other side has sealed next. */
public final class ForgedRecord extends IOException {
    private static final long serialVersionUID = 1;

    public ForgedRecord() {
        super("an encrypted record was changed, repeated or left out on its way");
    }
}
