package io.rankwire.tools;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code java -jar lib/starter.jar -np 4 Main}, as development environments are set up for MPJ Express: does what
 * {@code mpjrun.sh} beside it does. That finds the JDK it needs, so this one class is for older ones too.
 */
public final class Starter {
    private Starter() {}

    public static void main(String[] args) throws IOException, InterruptedException, URISyntaxException {
        File jar = new File(Starter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        File home = jar.getAbsoluteFile().getParentFile().getParentFile();
        File script = new File(home, File.separatorChar == '\\' ? "bin\\mpjrun.bat" : "bin/mpjrun.sh");
        if (!script.canExecute()) {
            System.err.println("rankwire: starter.jar runs " + script + ", which is not there: leave it in lib");
            System.exit(2);
        }
        List<String> command = new ArrayList<>(Arrays.asList(args));
        command.add(0, script.getPath());
        Process process = new ProcessBuilder(command).inheritIO().start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        System.exit(process.waitFor());
    }
}
