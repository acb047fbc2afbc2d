package io.rankwire.tools.hosts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lists of hosts with their slots, as users write them, as files have them, and as Slurm describes an allocation. A
 * host that is named several times has all the slots together.
 */
public final class HostList {
    /**
     * A host.
     *
     * @param name as ssh takes it
     * @param slots the number of ranks that it is for; 0 if that is not said
     */
    public record Host(String name, int slots) {}

    private static final int MOST_SLOTS = 1 << 16;
    private static final int MOST_NAMES = 1 << 16;
    private static final int MOST_DIGITS = 9;

    private HostList() {}

    /**
     * Reads names separated by commas, each with its slots after a colon or without: {@code a:4,b:4}.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    public static List<Host> ofList(String text) {
        Map<String, Integer> hosts = new LinkedHashMap<>();
        for (String each : text.split(",", -1)) {
            add(hosts, host(each.strip()));
        }
        return hosts(hosts);
    }

    /**
     * Reads a file with a host in each line: {@code a slots=4} as for Open MPI, {@code a:4} as for MPICH, or a name
     * alone; # begins a comment.
     *
     * @throws IllegalArgumentException naming the line and what is wrong
     */
    public static List<Host> ofFile(List<String> lines) {
        Map<String, Integer> hosts = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            int comment = line.indexOf('#');
            String[] words = (comment < 0 ? line : line.substring(0, comment)).strip().split("\\s+");
            if (words[0].isEmpty()) {
                continue;
            }
            try {
                add(hosts, host(words));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("it names no host");
        }
        return hosts(hosts);
    }

    private static Host host(String[] words) {
        Host host = host(words[0]);
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            String key = equals < 0 ? words[i] : words[i].substring(0, equals);
            String value = equals < 0 ? "" : words[i].substring(equals + 1);
            if (key.equals("slots")) {
                host = new Host(host.name(), slots(value));
            } else if (!key.equals("max_slots") && !key.equals("max-slots")) {
                throw new IllegalArgumentException("\"" + words[i] + "\" is not slots=N");
            }
        }
        return host;
    }

    /** Reads {@code name}, {@code name:4}, {@code [fd00::1]:4}. */
    private static Host host(String text) {
        int bracket = text.lastIndexOf(']');
        int colon = text.indexOf(':', Math.max(0, bracket));
        String name = colon < 0 ? text : text.substring(0, colon);
        if (name.startsWith("[") && name.endsWith("]")) {
            name = name.substring(1, name.length() - 1);
        }
        // A dash in front would be an option of ssh.
        if (!name.matches("[A-Za-z0-9_][A-Za-z0-9_.@:%-]*")) {
            throw new IllegalArgumentException("\"" + text + "\" is not a host, or host:slots");
        }
        return new Host(name, colon < 0 ? 0 : slots(text.substring(colon + 1)));
    }

    private static int slots(String text) {
        int slots = number(text);
        if (slots < 1 || slots > MOST_SLOTS) {
            throw new IllegalArgumentException("\"" + text + "\" is not a number of slots from 1 to " + MOST_SLOTS);
        }
        return slots;
    }

    private static int number(String text) {
        try {
            return text.length() > MOST_DIGITS ? -1 : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static void add(Map<String, Integer> hosts, Host host) {
        if (hosts.merge(host.name(), host.slots(), Integer::sum) > MOST_SLOTS) {
            throw new IllegalArgumentException(host.name() + " has more than " + MOST_SLOTS + " slots");
        }
    }

    private static List<Host> hosts(Map<String, Integer> slots) {
        List<Host> hosts = new ArrayList<>();
        slots.forEach((name, count) -> hosts.add(new Host(name, count)));
        return hosts;
    }

    /**
     * The hosts of an allocation.
     *
     * @param nodes as in {@code SLURM_JOB_NODELIST}, such as {@code n[1-3,7],gpu07}
     * @param tasks as in {@code SLURM_TASKS_PER_NODE}, such as {@code 4(x3),2}; may be null
     */
    public static List<Host> ofSlurm(String nodes, String tasks) {
        List<String> names = expand(nodes);
        List<Integer> slots = new ArrayList<>();
        for (String each : tasks == null ? new String[0] : tasks.split(",")) {
            int times = each.indexOf("(x");
            int count = times < 0 ? 1 : slots(each.substring(times + 2, Math.max(times + 2, each.indexOf(')'))));
            int slotsOfEach = slots(times < 0 ? each : each.substring(0, times));
            for (int i = 0; i < count && slots.size() < names.size(); i++) {
                slots.add(slotsOfEach);
            }
        }
        if (tasks != null && slots.size() != names.size()) {
            throw new IllegalArgumentException("\"" + tasks + "\" is not for " + names.size() + " nodes");
        }
        List<Host> hosts = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            hosts.add(new Host(host(names.get(i)).name(), tasks == null ? 0 : slots.get(i)));
        }
        return hosts;
    }

    /** The names that a list with brackets stands for. */
    static List<String> expand(String list) {
        List<String> names = new ArrayList<>();
        int depth = 0;
        int from = 0;
        for (int i = 0; i <= list.length(); i++) {
            char c = i == list.length() ? ',' : list.charAt(i);
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (c == ',' && depth == 0) {
                expand("", list.substring(from, i).strip(), names);
                from = i + 1;
            }
        }
        if (depth != 0) {
            throw new IllegalArgumentException("\"" + list + "\" has brackets that do not match");
        }
        return names;
    }

    private static void expand(String before, String rest, List<String> names) {
        int open = rest.indexOf('[');
        if (open < 0) {
            if (names.size() == MOST_NAMES) {
                throw new IllegalArgumentException("more than " + MOST_NAMES + " hosts");
            }
            names.add(before + rest);
            return;
        }
        int close = rest.indexOf(']', open);
        if (close < 0) {
            throw new IllegalArgumentException("\"" + rest + "\" has brackets that do not match");
        }
        String after = rest.substring(close + 1);
        for (String range : rest.substring(open + 1, close).split(",")) {
            int dash = range.indexOf('-');
            String first = dash < 0 ? range : range.substring(0, dash);
            int low = number(first);
            int high = dash < 0 ? low : number(range.substring(dash + 1));
            if (low < 0 || high < low || high - low >= MOST_NAMES) {
                throw new IllegalArgumentException("\"" + range + "\" is not a number, or a range of numbers");
            }
            for (int number = low; number <= high; number++) {
                String digits = Integer.toString(number);
                String zeros = "0".repeat(Math.max(0, first.length() - digits.length()));
                expand(before + rest.substring(0, open) + zeros + digits, after, names);
            }
        }
    }
}
