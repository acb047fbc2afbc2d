package io.rankwire.tools;

import io.rankwire.tools.hosts.HostList;
import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The hosts of a job, and how its ranks get there. */
final class HostOptions {
    static final Option HOSTS = Option.text("LIST", "--hosts", "--host")
            .help("run on these hosts, reached by ssh: --hosts a:4,b:4 for four slots on each; without a number, a slot"
                    + " for each core");
    static final Option HOSTFILE = Option.path("FILE", "--hostfile").never(HOSTS)
            .help("the same from a file with a host in each line: a slots=4, or a:4, or a");
    static final Option SSH = Option.text("COMMAND", "--ssh").otherwise("ssh")
            .help("the command that reaches other hosts, such as \"ssh -p 2222\"");
    static final Option COPY = Option.choice("WHEN", List.of("auto", "never", "always"), "--copy").otherwise("auto")
            .help("""
                    whether class path and Rankwire are copied to other hosts for the time of the job
                      auto    what does not lie there under the same path with the same contents
                      never   nothing; the class path is used as it lies there
                      always  everything""");
    static final Option MAP_BY = Option.choice("PLACE", List.of("slot", "node", "core"), "--map-by").otherwise("slot")
            .help("""
                    which host gets the next rank
                      slot  the same one, until its slots are used
                      node  the next one
                      core  the same one, until it has a rank for each core""");
    static final Option BIND_TO = Option.choice("WHAT", List.of("none", "core"), "--bind-to").otherwise("none")
            .help("bind each rank to a core of its own on its host, by taskset, or to none");
    static final Option REPORT_BINDINGS = Option.flag("--report-bindings")
            .help("print the host of each rank, and the processors that it is bound to");
    static final Option OVERSUBSCRIBE = Option.flag("--oversubscribe").help("allow more ranks than slots");

    private static final Option[] ALL =
            {HOSTS, HOSTFILE, SSH, COPY, MAP_BY, BIND_TO, REPORT_BINDINGS, OVERSUBSCRIBE};

    final List<HostList.Host> hosts;
    final List<String> ssh;
    final String copy;
    final String mapBy;
    final boolean binds;
    final boolean reports;
    final boolean oversubscribe;

    private HostOptions(List<HostList.Host> hosts, Given given) {
        this.hosts = hosts;
        ssh = List.of(given.text(SSH).strip().split("\\s+"));
        copy = given.text(COPY);
        mapBy = given.text(MAP_BY);
        binds = given.text(BIND_TO).equals("core");
        reports = given.has(REPORT_BINDINGS);
        oversubscribe = given.has(OVERSUBSCRIBE);
        if (given.text(SSH).isBlank()) {
            throw given.wrong("option --ssh needs a command");
        }
    }

    static Option[] all() {
        return ALL.clone();
    }

    /** The hosts that the options name, or else those of the allocation that this runs in; null for neither. */
    static HostOptions of(Given given, Map<String, String> environment) {
        Option used = null;
        for (Option each : ALL) {
            used = used == null && given.has(each) ? each : used;
        }
        List<HostList.Host> hosts = hosts(given);
        String nodes = environment.get("SLURM_JOB_NODELIST");
        if (hosts == null && nodes != null && !given.has(RunOptions.THREADS)) {
            try {
                hosts = HostList.ofSlurm(nodes, environment.get("SLURM_TASKS_PER_NODE"));
            } catch (IllegalArgumentException e) {
                throw given.wrong("SLURM_JOB_NODELIST or SLURM_TASKS_PER_NODE: " + e.getMessage());
            }
            if (hosts.size() == 1 && isThisMachine(hosts.get(0).name()) && used == null) {
                return null;
            }
        }
        if (hosts == null) {
            if (used != null) {
                throw given.wrong("option " + used + " needs --hosts or --hostfile");
            }
            return null;
        }
        if (given.has(RunOptions.THREADS)) {
            throw given.wrong("option --threads does not go with " + used);
        }
        return new HostOptions(hosts, given);
    }

    private static List<HostList.Host> hosts(Given given) {
        Option option = given.has(HOSTS) ? HOSTS : HOSTFILE;
        if (!given.has(option)) {
            return null;
        }
        String text = given.text(option);
        try {
            return option == HOSTS ? HostList.ofList(text) : HostList.ofFile(Files.readAllLines(Path.of(text)));
        } catch (IllegalArgumentException e) {
            throw given.wrong("option " + option + (option == HOSTS ? ": " : ": " + text + ", ") + e.getMessage());
        } catch (IOException e) {
            throw given.wrong("option " + option + ": cannot read " + text);
        }
    }

    /** Whether a name means this machine, so that no ssh is needed. */
    static boolean isThisMachine(String name) {
        if (name.equals("localhost")) {
            return true;
        }
        if (name.indexOf('@') >= 0) {
            return false;
        }
        try {
            String own = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            if (name.equals(own) || own.startsWith(name + ".") || name.startsWith(own + ".")) {
                return true;
            }
        } catch (IOException e) {
            // As on systems without that file.
        }
        boolean isAddress = name.indexOf(':') >= 0 || name.matches("[0-9.]+");
        try {
            return isAddress && NetworkInterface.getByInetAddress(InetAddress.getByName(name)) != null;
        } catch (IOException e) {
            return false;
        }
    }

    /** The slots of all hosts, once the number of their cores is known; 0 for one that has none yet. */
    List<Integer> slots(List<Integer> cores) {
        List<Integer> slots = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            int given = hosts.get(i).slots();
            slots.add(given == 0 || mapBy.equals("core") ? cores.get(i) : given);
        }
        return slots;
    }
}
