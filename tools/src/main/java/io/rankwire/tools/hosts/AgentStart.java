package io.rankwire.tools.hosts;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How an agent is started: on this machine by its JVM, on others by ssh and a script for the shell there, which finds a
 * JDK and the jars, or asks for their contents. The script has no single quote, no line end and no exclamation mark
 * before a word, so that any login shell hands it on as it is.
 *
 * @param ssh the command that reaches other hosts
 * @param javaHome the JDK that is tried first
 * @param tools the jar with the agent
 * @param core the jar with Rankwire
 * @param archive the classes of these jars as the JVM keeps them, or where an agent {@link #RECORDED} them, or blank
 * @param copy whether the jars are copied
 */
public record AgentStart(List<String> ssh, String javaHome, String tools, String core, String archive, String copy) {
    /** The begin of each line that the script prints. */
    static final String MARK = "rankwire-agent: ";
    static final String SPEAKS = "speaks";
    /** What an agent writes before its first message; a JVM may have written something else before. */
    public static final String GREETING = "\n" + MARK + SPEAKS + "\n";

    private static final String AGENT = "io.rankwire.tools.Agent";
    /** The end of the name of a file for the classes that an agent loads. */
    public static final String RECORDED = ".classes";
    public static final String FLAGS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xmx256m"
            + " -XX:+DisplayVMOutputToStderr"
            + " -Xlog:cds*=off -Xlog:aot*=off -Xlog:os+thread=off";
    private static final int CONNECT_SECONDS = 10;
    private static final Map<String, String> SUMS = new HashMap<>();
    private static final int POLYNOMIAL = 0x04C11DB7;

    private static final String SCRIPT = """
            say() { echo "rankwire-agent: $1"; };
            suits() { [ -n "$1" ] && [ -x "$1/bin/java" ] && [ -r "$1/release" ]
             && v=$(sed -n "s/^JAVA_VERSION=.\\([0-9]*\\).*/\\1/p" "$1/release") && [ "${v:-0}" -ge "$need" ]; };
            need=$1; jdk=; v=;
            for d in "$2" "${JAVA25_HOME:-}" "${JAVA_HOME:-}" /usr/lib/jvm/*; do
             if suits "$d"; then jdk=$d; break; fi; done;
            if [ -z "$jdk" ]; then v=; d=$(command -v java) && d=$(readlink -f "$d") && d=${d%/bin/java};
             if suits "$d"; then jdk=$d; else say "jdk ${v:-none}"; exit 1; fi; fi;
            t=; clean() { if [ -n "$t" ]; then rm -rf "$t"; fi; };
            trap clean 0; trap "exit 1" 1 2 13 15;
            file() { f=$1; if [ "$4" != always ] && [ -r "$1" ]
             && [ "$(cksum < "$1" 2> /dev/null)" = "$2" ]; then return; fi;
             if [ "$4" = never ]; then say "jar $1"; exit 1; fi;
             if [ -z "$t" ]; then t=$(mktemp -d "${TMPDIR:-/tmp}/rankwire.XXXXXX") || { say tmp; exit 1; }; fi;
             f=$t/$3.jar; say "want $3"; head -c "${2#* }" > "$f";
             if [ "$(wc -c < "$f")" -ne "${2#* }" ]; then say tmp; exit 1; fi; };
            file "$3" "$4" tools "$7"; tools=$f; file "$5" "$6" core "$7"; core=$f;
            set -f; set -- "$8" $9;
            if [ -s "$1" ] && [ -z "$t" ]; then a=-XX:SharedArchiveFile=$1; else a=-XX:+UseSerialGC; fi; shift;
            x=; if [ -z "$t" ]; then x=exec; fi; say ready;
            $x "$jdk/bin/java" "$a" "$@" "-Drankwire.core=$core" -cp "$tools:$core" io.rankwire.tools.Agent
            """.replace("\n", " ").strip();

    /** The words that start an agent. */
    List<String> command(String host, boolean local) throws IOException {
        List<String> command = new ArrayList<>();
        if (local) {
            command.add(javaHome + File.separator + "bin" + File.separator + "java");
            if (archive.endsWith(RECORDED)) {
                command.addAll(record(archive));
            } else if (!archive.isEmpty()) {
                command.add("-XX:SharedArchiveFile=" + archive);
            }
            command.addAll(List.of(FLAGS.split(" ")));
            command.addAll(List.of("-Drankwire.core=" + core, "-cp", tools + File.pathSeparator + core, AGENT));
            return command;
        }
        command.addAll(ssh);
        String program = ssh.get(0);
        if (program.equals("ssh") || program.endsWith("/ssh")) {
            command.addAll(List.of("-x", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=" + CONNECT_SECONDS));
        }
        command.add(host);
        StringBuilder remote = new StringBuilder("exec /bin/sh -c ").append(quoted(SCRIPT));
        String[] words = {"rankwire", Integer.toString(Runtime.version().feature()), javaHome, tools, sum(tools), core,
            sum(core), copy, archive, FLAGS};
        for (String each : words) {
            remote.append(' ').append(quoted(each));
        }
        command.add(remote.toString());
        return command;
    }

    /** Options of a JVM that records the classes it loads, without profiles of their methods, and prints nothing. */
    public static List<String> record(String file) {
        return List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + file, "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-AOTRecordTraining", "-XX:-DisplayVMOutput");
    }

    Path jar(String name) {
        return Path.of(name.equals("core") ? core : tools);
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\"'\"'") + "'";
    }

    /** What the command {@code cksum} prints of a file, which is the same for all hosts. */
    private static String sum(String file) throws IOException {
        synchronized (SUMS) {
            String known = SUMS.get(file);
            String sum = known == null ? sumOf(file) : known;
            SUMS.put(file, sum);
            return sum;
        }
    }

    static String sumOf(String file) throws IOException {
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            int value = i << 24;
            for (int bit = 0; bit < 8; bit++) {
                value = value < 0 ? value << 1 ^ POLYNOMIAL : value << 1;
            }
            table[i] = value;
        }
        int sum = 0;
        long length = 0;
        byte[] buffer = new byte[Message.PIECE];
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                for (int i = 0; i < count; i++) {
                    sum = sum << 8 ^ table[(sum >>> 24 ^ buffer[i]) & 0xFF];
                }
                length += count;
            }
        }
        for (long rest = length; rest != 0; rest >>>= 8) {
            sum = sum << 8 ^ table[(int) ((sum >>> 24 ^ rest) & 0xFF)];
        }
        return Integer.toUnsignedString(~sum) + " " + length;
    }
}
