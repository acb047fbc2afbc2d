package mpi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/** Pairs of names and values, in the order they were set. */
public final class Info implements Freeable, Cloneable {
    /** Null in a null info object. */
    private Map<String, String> entries;

    /** Makes an empty info object (MPI_Info_create). */
    public Info() throws MPIException {
        this(new LinkedHashMap<>());
    }

    private Info(Map<String, String> entries) {
        this.entries = entries;
    }

    static Info none() {
        return new Info(null);
    }

    /** Makes an info object about the running program. */
    static Info environment() {
        Info info = new Info();
        String[] command = program().split(" ", 2);
        info.entries.put("command", command[0]);
        info.entries.put("argv", command.length > 1 ? command[1] : "");
        info.processes(1);
        info.entries.put("ompi_num_apps", "1");
        info.entries.put("ompi_first_rank", "0");
        info.entries.put("soft", "1");
        info.entries.put("host", MPI.hostName());
        info.entries.put("arch", System.getProperty("os.arch"));
        info.entries.put("wdir", System.getProperty("user.dir"));
        info.entries.put("thread_level", "MPI_THREAD_MULTIPLE");
        return info;
    }

    /** The number of processes is known once the program has joined its job. */
    void processes(int count) {
        entries.put("maxprocs", Integer.toString(count));
        entries.put("ompi_np", Integer.toString(count));
    }

    /** Returns the program's class and arguments, without those of the launcher. */
    private static String program() {
        String command = System.getProperty("sun.java.command", "");
        String[] parts = command.split(" ", 4);
        if (parts[0].endsWith(".launch.RankMain") && parts.length > 1) {
            String rank = parts[1].startsWith("rank=") ? parts[1] + " " : "";
            return command.substring(Math.min(command.length(), parts[0].length() + 1 + rank.length()));
        }
        if (parts[0].endsWith(".launch.ThreadsMain") && parts.length > 2) {
            return command.substring(parts[0].length() + parts[1].length() + 2);
        }
        return command;
    }

    private Map<String, String> given() {
        if (entries == null) {
            throw MPI.failed(new MPIException(MPI.ERR_INFO, "the info object is null"));
        }
        return entries;
    }

    private static String key(String key) {
        if (key == null || key.isEmpty() || key.length() > MPI.MAX_INFO_KEY) {
            throw MPI.failed(new MPIException(MPI.ERR_INFO_KEY, "argument key: " + (key == null ? "null"
                    : key.isEmpty() ? "is empty"
                            : key.length() + " characters, " + MPI.MAX_INFO_KEY + " are allowed")));
        }
        return key;
    }

    /** Sets the value of a key (MPI_Info_set). */
    public void set(String key, String value) throws MPIException {
        if (value == null || value.length() > MPI.MAX_INFO_VAL) {
            throw MPI.failed(new MPIException(MPI.ERR_INFO_VALUE, "argument value: " + (value == null ? "null"
                    : value.length() + " characters, " + MPI.MAX_INFO_VAL + " are allowed")));
        }
        given().put(key(key), value);
    }

    /** Returns the value of a key, or null (MPI_Info_get). */
    public String get(String key) throws MPIException {
        return given().get(key(key));
    }

    /** Removes a key (MPI_Info_delete). */
    public void delete(String key) throws MPIException {
        if (given().remove(key(key)) == null) {
            throw MPI.failed(new MPIException(MPI.ERR_INFO_NOKEY, "argument key: there is no " + key));
        }
    }

    /** Returns the number of keys (MPI_Info_get_nkeys). */
    public int size() throws MPIException {
        return given().size();
    }

    /** Returns a key by its index (MPI_Info_get_nthkey). */
    public String getKey(int i) throws MPIException {
        if (i < 0 || i >= given().size()) {
            throw MPI.failed(new MPIException(MPI.ERR_ARG, "argument i: " + i + " of " + entries.size() + " keys"));
        }
        return new ArrayList<>(entries.keySet()).get(i);
    }

    @Override
    public Info clone() {
        return dup();
    }

    /** Returns a copy (MPI_Info_dup). */
    public Info dup() throws MPIException {
        return new Info(new LinkedHashMap<>(given()));
    }

    @Override
    public void free() throws MPIException {
        given();
        entries = null;
    }

    /** Returns whether this is a null info object. */
    public boolean isNull() {
        return entries == null;
    }

    @Override
    public String toString() {
        return String.valueOf(entries);
    }
}
