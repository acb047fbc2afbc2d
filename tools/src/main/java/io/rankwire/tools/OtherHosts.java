package io.rankwire.tools;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Tells users who name other machines that a job runs on this one; who names only this one hears nothing. */
final class OtherHosts {
    private OtherHosts() {}

    /** Reads a file with a machine in each line, as all launchers have it. */
    static void inFile(Words words, String option, String file) {
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
            throw words.wrong("option " + option + ": cannot read " + file);
        }
        tell(words, option, names);
    }

    static void inList(Words words, String option, String list) {
        List<String> names = new ArrayList<>();
        for (String each : list.split(",")) {
            names.add(each.split(":")[0].strip());
        }
        tell(words, option, names);
    }

    private static void tell(Words words, String option, List<String> names) {
        for (String name : names) {
            if (!isThis(name)) {
                words.say(option + " names " + name + ", but all ranks run on this machine: others come later");
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
