package io.rankwire.tools;

import io.rankwire.tools.options.Given;
import io.rankwire.tools.options.Option;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reports that a job runs on this machine alone when the user names others. */
final class OtherHosts {
    private OtherHosts() {}

    /** Reads a file with a machine in each line, as all launchers have it. */
    static void inFile(Given given, Option option, String file) {
        List<String> names = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(Path.of(file))) {
                int comment = line.indexOf('#');
                String text = (comment < 0 ? line : line.substring(0, comment)).strip();
                if (!text.isEmpty()) {
                    names.add(text.split("[\\s:@]+")[0]);
                }
            }
        } catch (IOException e) {
            throw given.wrong("option " + option + ": cannot read " + file);
        }
        report(given, option, names);
    }

    static void inList(Given given, Option option, String list) {
        List<String> names = new ArrayList<>();
        for (String each : list.split(",")) {
            names.add(each.split(":")[0].strip());
        }
        report(given, option, names);
    }

    private static void report(Given given, Option option, List<String> names) {
        for (String name : names) {
            if (!isThis(name)) {
                given.report(option + " names " + name + ", but all ranks run on this machine; `rankwire run"
                        + " --hosts` starts them on others");
                return;
            }
        }
    }

    private static boolean isThis(String name) {
        if (name.equals("localhost") || name.startsWith("127.") || name.equals("::1")) {
            return true;
        }
        try {
            String own = InetAddress.getLocalHost().getHostName();
            return name.equals(own) || own.startsWith(name + ".") || name.startsWith(own + ".");
        } catch (IOException e) {
            return false;
        }
    }
}
