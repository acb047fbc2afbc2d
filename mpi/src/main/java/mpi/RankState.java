package mpi;

import io.rankwire.World;
import io.rankwire.launch.RankLocal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All that this package keeps for a rank. A rank that is a process, or has a class loader, has it once; ranks of a
 * simulation share the classes, and each finds its own here.
 */
final class RankState {
    private static final RankLocal<RankState> OF_RANK = new RankLocal<>(RankState.class) {
        @Override
        protected RankState first() {
            return new RankState();
        }
    };

    /** What all this is about; null when not initialized. */
    World world;
    boolean finalized;
    Thread initializer;
    byte[] attached;
    ByteBuffer attachedBuffer;
    /** Freed while under way; its monitor guards it. */
    final List<Request> left = new ArrayList<>();

    final Intracomm all = new Intracomm();
    final Intracomm self = new Intracomm();
    final Group emptyGroup = new Group(Group.EMPTY);
    final Status emptyStatus = Status.empty();
    private Info environment;

    final Keyvals communicatorKeys = new Keyvals();
    final Keyvals datatypeKeys = new Keyvals();
    final Keyvals windowKeys = new Keyvals();
    /** Of the predefined types. */
    final Map<Datatype, String> typeNames = new HashMap<>();
    final Map<DatatypeAttributes, Map<Integer, Object>> typeAttributes = new HashMap<>();
    /** Datatypes that this rank has made. */
    int typesMade;

    private RankState() {}

    static RankState mine() {
        return OF_RANK.get();
    }

    Info environment() {
        if (environment == null) {
            environment = Info.environment();
        }
        return environment;
    }
}
