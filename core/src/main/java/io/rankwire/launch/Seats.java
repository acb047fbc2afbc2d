package io.rankwire.launch;

import io.rankwire.launch.ControlMessage.Arrival;
import io.rankwire.launch.ControlMessage.Seat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The seats of the ranks of a {@link Roster}, and the hosts in the order of their first ranks. */
final class Seats {
    private static final Seat NONE = new Seat(-1, "", 0);

    private final List<Seat> seats;
    private final Map<Roster.Group, Integer> hosts = new LinkedHashMap<>();
    private final List<String> names = new ArrayList<>();

    Seats(int places) {
        seats = new ArrayList<>(Collections.nCopies(places, NONE));
    }

    /** Gives a rank its seat. Of two hosts of the same name, the second gets a number. */
    void give(int rank, Roster.Member member) {
        Integer known = hosts.get(member.group);
        int host = known == null ? hosts.size() : known;
        if (known == null) {
            hosts.put(member.group, host);
            String name = member.arrival.host();
            String unique = name;
            for (int i = 2; names.contains(unique); i++) {
                unique = name + "/" + i;
            }
            names.add(unique);
        }
        Arrival old = member.arrival;
        member.arrival = new Arrival(names.get(host), old.mark(), old.process());
        seats.set(rank, new Seat(host, names.get(host), old.process()));
    }

    Seat of(int rank) {
        return seats.get(rank);
    }

    List<Seat> all() {
        return List.copyOf(seats);
    }

    /** The number of hosts. */
    int hosts() {
        return hosts.size();
    }
}
