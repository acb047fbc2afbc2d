package io.rankwire.sim.program;

/**
 * What the processor of a simulated rank spends on messages, and what is taken from it.
 *
 * @param sendPs work of a call for a frame it sends; with a device that works by itself, only for those it starts
 * @param receivePs work for a frame that is taken in; with a device that works by itself, only for the one that ends a
 *     wait
 * @param pollPs a look that finds nothing
 * @param collectivePs work of a collective call beside its messages
 * @param noisePeriodPs how often the operating system takes the processor; 0 for never
 * @param noisePs for how long it does
 * @param noiseTogether whether it does so on all ranks at the same time
 * @param launcher what its job is started and watched by
 */
public record HostModel(long sendPs, long receivePs, long pollPs, long collectivePs, long noisePeriodPs,
        long noisePs, boolean noiseTogether, LauncherModel launcher) {
    /** A fifth of a microsecond for each end of a message and for a collective call, and no noise. */
    public static final HostModel DEFAULT =
            new HostModel(200_000, 200_000, 50_000, 200_000, 0, 0, false, LauncherModel.DEFAULT);

    public HostModel {
        if (sendPs < 0 || receivePs < 0 || collectivePs < 0 || pollPs < 1 || noisePs < 0 || noisePeriodPs < 0
                || noisePeriodPs == 0 && noisePs != 0 || noisePeriodPs != 0 && noisePs >= noisePeriodPs) {
            throw new IllegalArgumentException("host: costs from 0, a poll from 1 ps, and noise shorter than its"
                    + " period: send " + sendPs + " ps, receive " + receivePs + " ps, poll " + pollPs + " ps,"
                    + " collective " + collectivePs + " ps, noise "
                    + noisePs + " ps every " + noisePeriodPs + " ps");
        }
    }
}
